// SPDX-License-Identifier: GPL-3.0-only
// Times that can be reckoned with.
#pragma once

#include <cstdint>

#include "profiler/trace/span.h"

namespace lanelab {

/// Sums of two times this large still fit.
inline constexpr Nanoseconds time_limit = std::int64_t{1} << 61;
inline bool inReach(Nanoseconds time) { return time >= -time_limit && time <= time_limit; }

}  // namespace lanelab
