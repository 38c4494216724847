// SPDX-License-Identifier: GPL-3.0-only
// A span of which only its times and its name matter.
#pragma once

#include "profiler/trace/span.h"

namespace lanelab {

inline Span spanAt(Nanoseconds start, Nanoseconds end, std::uint32_t name = 0) {
  Span span;
  span.start = start;
  span.end = end;
  span.name = name;
  return span;
}

}  // namespace lanelab
