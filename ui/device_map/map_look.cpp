// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/map_look.h"

#include <QCoreApplication>

namespace lanelab {

QString deviceName(MapDevice device) {
  switch (device.kind) {
    case MapDevice::Kind::Gpu: return QCoreApplication::translate("DeviceMap", "GPU %1").arg(device.gpu);
    case MapDevice::Kind::Cpu: return QCoreApplication::translate("DeviceMap", "CPU");
    case MapDevice::Kind::Disk: break;
  }
  return QCoreApplication::translate("DeviceMap", "Disk");
}

QColor deviceColor(MapDevice device, const look::Palette& palette) {
  constexpr int kHues = 5;  // of the series; its first is the grey of the CPU
  switch (device.kind) {
    case MapDevice::Kind::Gpu: return palette.series(1 + device.gpu % kHues);
    case MapDevice::Kind::Cpu: return palette.series(0);
    case MapDevice::Kind::Disk: break;
  }
  return look::mix(palette.series(0), palette.surface, 0.6);
}

}  // namespace lanelab
