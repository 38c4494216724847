// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/busy_pieces.h"

namespace lanelab {

namespace {

bool startsBefore(const BusyPiece& a, const BusyPiece& b) {
  return a.range.start != b.range.start ? a.range.start < b.range.start : a.range.end > b.range.end;
}

}  // namespace

std::vector<BusyPiece> joinedPieces(std::vector<BusyPiece> pieces) {
  std::erase_if(pieces, [](const BusyPiece& piece) { return piece.range.empty(); });
  if (!std::ranges::is_sorted(pieces, startsBefore)) std::ranges::stable_sort(pieces, startsBefore);
  std::size_t kept = 0;
  for (const BusyPiece& piece : pieces) {
    if (kept > 0 && piece.range.start <= pieces[kept - 1].range.end) {
      pieces[kept - 1].range.end = std::max(pieces[kept - 1].range.end, piece.range.end);
    } else {
      pieces[kept++] = piece;
    }
  }
  pieces.resize(kept);
  return pieces;
}

std::vector<TimeRange> unionOf(std::vector<TimeRange> ranges) {
  std::erase_if(ranges, [](const TimeRange& range) { return range.empty(); });
  if (!std::ranges::is_sorted(ranges, {}, &TimeRange::start)) std::ranges::sort(ranges, {}, &TimeRange::start);
  std::vector<TimeRange> joined;
  for (const TimeRange& range : ranges) {
    if (!joined.empty() && range.start <= joined.back().end) {
      joined.back().end = std::max(joined.back().end, range.end);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

}  // namespace lanelab
