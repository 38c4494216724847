// SPDX-License-Identifier: GPL-3.0-only
// Quantities as people read them, from the engine's own words.
#pragma once

#include <QString>
#include <cstdint>

namespace lanelab {

QString bytesText(std::int64_t bytes);  ///< "1.5 MiB"
QString secondsText(double seconds);    ///< "12.3 ms", "4.56 µs"

}  // namespace lanelab
