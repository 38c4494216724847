// SPDX-License-Identifier: GPL-3.0-only
// Times that can be reckoned with.
#pragma once

#include <cstdint>

#include "profiler/trace/span.h"

namespace lanelab {

/// Sums of two times this large still fit.
inline constexpr Nanoseconds kTimeLimit = std::int64_t{1} << 61;
inline bool inReach(Nanoseconds time) { return time >= -kTimeLimit && time <= kTimeLimit; }

}  // namespace lanelab
