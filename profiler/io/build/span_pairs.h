// SPDX-License-Identifier: GPL-3.0-only
// Joins the two ends of spans that a file tells apart: B with E of one thread, b with e of one id.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

struct HalfSpan {
  Nanoseconds time = 0;
  std::uint32_t name = 0;
  std::uint32_t row = 0;  ///< the caller's
  std::uint16_t label = 0;
  Category category = Category::Other;
  bool begins = false;
  bool named = false;  ///< an end without a name ends what is innermost
};

struct UnmatchedEnds {
  std::int64_t begins = 0;
  std::int64_t ends = 0;
};

/// Goes through the halves of one thread or id by time, equal times in the given order. An end with a name closes the
/// innermost open span of that name, so that one lost end costs no other span; where none has it, the innermost one if
/// `any_name`.
UnmatchedEnds pairHalves(std::vector<HalfSpan>& halves, bool any_name,
                         const std::function<void(const HalfSpan& begin, Nanoseconds end)>& paired);

}  // namespace lanelab
