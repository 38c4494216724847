// SPDX-License-Identifier: GPL-3.0-only
// How devices of a map are called and coloured, the same in the table, the bars and exports; and the bars of what each
// holds of its limit, with the modules on it.
#pragma once

#include "ui/device_map/map_answer.h"
#include "ui/export/picture.h"

namespace lanelab {

QString deviceName(MapDevice device);  ///< "GPU 0", "CPU", "Disk"
QColor deviceColor(MapDevice device, const look::Palette& palette);

/// How much of its bar a device fills: of the limit that it was given, above 1 where it holds more; without a limit, as
/// the disk, of the network.
double fillOf(const MapShare& share, const MapAnswer& answer);

/// Each device's bar has a scale of its own: the whole is its limit.
Picture mapPicture(const MapAnswer& answer, const QString& title, const QString& caption);

/// "conv1 to layer3.3", "model.embed_tokens", "nothing": what lies on it, in the network's order.
QString modulesOn(MapDevice device, const MapTable& table);

}  // namespace lanelab
