// SPDX-License-Identifier: GPL-3.0-only
// Time <-> pixel, zoom and pan as pure functions. Times are differenced as integers first, so nanoseconds survive hours
// into a trace.
#pragma once

#include <algorithm>
#include <cmath>

#include "profiler/trace/trace.h"

namespace lanelab {

/// The shortest visible range: below it a pixel would be less than the clock can tell.
inline constexpr Nanoseconds kShortestRange = 100;

/// `range` laid over [left, left + width) pixels. Nothing is clamped: times outside the range lie outside the pixels.
/// Zero width or an empty range maps every time to `left` and every pixel to the range's start.
struct TimeScale {
  TimeRange range;
  double left = 0;
  double width = 0;

  bool degenerate() const { return width <= 0 || range.empty(); }
  double x(Nanoseconds time) const {
    if (degenerate()) return left;
    return left + static_cast<double>(time - range.start) * (width / static_cast<double>(range.length()));
  }
  Nanoseconds time(double pixel) const {
    if (degenerate()) return range.start;
    return range.start + std::llround((pixel - left) * (static_cast<double>(range.length()) / width));
  }
  double nanosecondsPerPixel() const { return degenerate() ? 0 : static_cast<double>(range.length()) / width; }
};

/// `range` made `factor` times as long; `anchor` keeps its place in it. At least kShortestRange long.
inline TimeRange zoomed(TimeRange range, Nanoseconds anchor, double factor) {
  const double length = std::max(static_cast<double>(range.length()) * factor, static_cast<double>(kShortestRange));
  const double share =
      range.empty() ? 0.5 : static_cast<double>(anchor - range.start) / static_cast<double>(range.length());
  const Nanoseconds start = anchor - std::llround(length * share);
  return {start, start + std::llround(length)};
}

inline TimeRange panned(TimeRange range, Nanoseconds by) { return {range.start + by, range.end + by}; }

/// `range` moved into `bounds`, the whole of `bounds` when it is longer.
inline TimeRange movedInto(TimeRange range, TimeRange bounds) {
  if (range.length() >= bounds.length()) return bounds;
  if (range.start < bounds.start) return {bounds.start, bounds.start + range.length()};
  if (range.end > bounds.end) return {bounds.end - range.length(), bounds.end};
  return range;
}

/// `share` of the length more at both ends, at least half of kShortestRange.
inline TimeRange widened(TimeRange range, double share) {
  const Nanoseconds more =
      std::max<Nanoseconds>(std::llround(static_cast<double>(range.length()) * share), kShortestRange / 2);
  return {range.start - more, range.end + more};
}

}  // namespace lanelab
