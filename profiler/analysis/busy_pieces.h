// SPDX-License-Identifier: GPL-3.0-only
// What keeps a lane busy, joined to maximal pieces, and the gaps between them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Something that keeps a lane busy; `item` is the caller's number of it.
struct BusyPiece {
  TimeRange range;
  std::uint32_t item = 0;
};

/// What a gap lies before when nothing follows it in its window.
inline constexpr std::uint32_t kNoItem = ~std::uint32_t{0};

/// Before all time.
inline constexpr Nanoseconds kNever = INT64_MIN;

/// Sorted and disjoint: pieces that overlap or touch become one, with the item that begins it (of several that begin
/// together the longest). Pieces without length cover nothing and begin nothing. n log n, and n where they come sorted.
std::vector<BusyPiece> joinedPieces(std::vector<BusyPiece> pieces);

/// Sorted, disjoint union of the ranges; ranges that touch become one, empty ones vanish.
std::vector<TimeRange> unionOf(std::vector<TimeRange> ranges);
/// Of all ranges together.
Nanoseconds lengthOf(const std::vector<TimeRange>& ranges);
/// How much of the window the ranges cover, which are sorted and disjoint.
Nanoseconds coveredTime(const std::vector<TimeRange>& ranges, TimeRange window);
/// Calls visit(gap, item) for each part of `window` that the joined pieces leave open, in order, with the item that it
/// lies before. Gives the time that they cover.
template <class Visit>
Nanoseconds visitGaps(const std::vector<BusyPiece>& joined, TimeRange window, const Visit& visit) {
  Nanoseconds busy = 0;
  Nanoseconds covered = window.start;
  const auto endsBefore = [](Nanoseconds time, const BusyPiece& piece) { return time < piece.range.end; };
  auto piece = std::upper_bound(joined.begin(), joined.end(), window.start, endsBefore);
  for (; piece != joined.end() && piece->range.start < window.end; ++piece) {
    if (piece->range.start > covered) visit(TimeRange{covered, piece->range.start}, piece->item);
    const TimeRange inside = intersection(piece->range, window);
    busy += inside.length();
    covered = inside.end;
  }
  if (window.end > covered) visit(TimeRange{covered, window.end}, kNoItem);
  return busy;
}

}  // namespace lanelab
