// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/lane_limits.h"

#include <algorithm>

#include "engine/memory/variant_memory.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

/// Rounded down, as a person would type it: "11.8GiB"; empty for nothing.
QString sizeText(std::int64_t bytes) {
  constexpr std::int64_t kMib = 1 << 20, kGib = 1 << 30;
  if (bytes <= 0) return {};
  if (bytes < kMib) return QString::number(bytes);
  if (bytes < kGib) return QStringLiteral("%1MiB").arg(bytes / kMib);
  const std::int64_t tenths = bytes / (kGib / 10);
  return tenths % 10 == 0 ? QStringLiteral("%1GiB").arg(tenths / 10)
                          : QStringLiteral("%1.%2GiB").arg(tenths / 10).arg(tenths % 10);
}

}  // namespace

std::vector<LimitFields::Gpu> gpusOfLanes(const std::vector<LaneConfig>& lanes,
                                          const std::vector<DeviceInfo>& devices) {
  std::vector<LimitFields::Gpu> gpus;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::string memory = memoryOfDevice(lanes[lane].device);
    const auto sharing = std::count_if(lanes.begin(), lanes.end(),
                                       [&](const LaneConfig& other) { return memoryOfDevice(other.device) == memory; });
    gpus.push_back({LimitFields::tr("lane %1 (%2)").arg(lane).arg(look::briefName(lanes[lane].title())),
                    sizeText(memoryThere(memory, devices) / sharing)});
  }
  return gpus;
}

QString cpuBesideLanes(const std::vector<LaneConfig>& lanes, const std::vector<DeviceInfo>& devices) {
  const std::string cpu = memoryOfDevice(Device::cpu(0));
  const bool taken = std::any_of(lanes.begin(), lanes.end(),
                                 [&](const LaneConfig& lane) { return memoryOfDevice(lane.device) == cpu; });
  return taken ? QString() : sizeText(memoryThere(cpu, devices));
}

}  // namespace lanelab
