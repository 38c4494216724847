// SPDX-License-Identifier: GPL-3.0-only
// How devices of a map are called and coloured, the same in the table, the bars and exports; and the bars of what each
// holds, against its limit, with the modules that lie there.
#pragma once

#include "ui/device_map/map_answer.h"
#include "ui/export/picture.h"

namespace lanelab {

QString deviceName(MapDevice device);  ///< "GPU 0", "CPU", "Disk"
QColor deviceColor(MapDevice device, const look::Palette& palette);

/// One scale for all devices: the fullest one's. A limit within it is an outline with its end drawn; a larger one is
/// open at the right.
Picture mapPicture(const MapAnswer& answer, const QString& title, const QString& caption);

/// "conv1 to layer3.3", "model.embed_tokens", "nothing": what lies on it, in the network's order.
QString modulesOn(MapDevice device, const MapTable& table);

}  // namespace lanelab
