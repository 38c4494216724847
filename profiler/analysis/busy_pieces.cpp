// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/busy_pieces.h"

#include <utility>

namespace lanelab {

namespace {

bool startsBefore(const BusyPiece& a, const BusyPiece& b) {
  return a.range.start != b.range.start ? a.range.start < b.range.start : a.range.end > b.range.end;
}

/// Makes one of sorted values whose ranges overlap or touch.
template <class Value, class RangeOf>
std::vector<Value> joined(std::vector<Value> sorted, const RangeOf& range_of) {
  std::size_t kept = 0;
  for (Value& value : sorted) {
    if (kept > 0 && range_of(value).start <= range_of(sorted[kept - 1]).end) {
      range_of(sorted[kept - 1]).end = std::max(range_of(sorted[kept - 1]).end, range_of(value).end);
    } else {
      sorted[kept++] = value;
    }
  }
  sorted.resize(kept);
  return sorted;
}

}  // namespace

std::vector<BusyPiece> joinedPieces(std::vector<BusyPiece> pieces) {
  std::erase_if(pieces, [](const BusyPiece& piece) { return piece.range.empty(); });
  if (!std::ranges::is_sorted(pieces, startsBefore)) std::ranges::stable_sort(pieces, startsBefore);
  return joined(std::move(pieces), [](BusyPiece& piece) -> TimeRange& { return piece.range; });
}

std::vector<TimeRange> unionOf(std::vector<TimeRange> ranges) {
  std::erase_if(ranges, [](const TimeRange& range) { return range.empty(); });
  if (!std::ranges::is_sorted(ranges, {}, &TimeRange::start)) std::ranges::sort(ranges, {}, &TimeRange::start);
  return joined(std::move(ranges), [](TimeRange& range) -> TimeRange& { return range; });
}

Nanoseconds lengthOf(const std::vector<TimeRange>& ranges) {
  Nanoseconds sum = 0;
  for (const TimeRange& range : ranges) sum += range.length();
  return sum;
}

Nanoseconds coveredTime(const std::vector<TimeRange>& ranges, TimeRange window) {
  Nanoseconds sum = 0;
  auto range = std::ranges::upper_bound(ranges, window.start, {}, &TimeRange::end);
  for (; range != ranges.end() && range->start < window.end; ++range) sum += intersection(*range, window).length();
  return sum;
}

}  // namespace lanelab
