// SPDX-License-Identifier: GPL-3.0-only
// Quantities as people read them, from the engine's own words.
#pragma once

#include <QString>
#include <cstdint>

#include "base/text.h"

namespace lanelab {

/// "1.5 MiB"
inline QString bytesText(std::int64_t bytes) { return QString::fromStdString(formatBytes(bytes)); }
/// "12.3 ms", "4.56 µs"
inline QString secondsText(double seconds) { return QString::fromStdString(formatSeconds(seconds)); }

}  // namespace lanelab
