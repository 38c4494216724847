// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/quantity_text.h"

#include "base/text.h"

namespace lanelab {

QString bytesText(std::int64_t bytes) { return QString::fromStdString(formatBytes(bytes)); }

QString secondsText(double seconds) { return QString::fromStdString(formatSeconds(seconds)); }

}  // namespace lanelab
