// SPDX-License-Identifier: GPL-3.0-only
// How devices of a map are called and coloured, the same in the table, the bars and exports.
#pragma once

#include <QColor>
#include <QString>

#include "engine/placement/device_map.h"
#include "ui/look/theme.h"

namespace lanelab {

QString deviceName(MapDevice device);  ///< "GPU 0", "CPU", "Disk"
QColor deviceColor(MapDevice device, const look::Palette& palette);

}  // namespace lanelab
