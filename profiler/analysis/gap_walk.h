// SPDX-License-Identifier: GPL-3.0-only
// Cuts the gaps of a lane into pieces of cause, the first cause that holds winning, and keeps the lane's sums.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

inline constexpr auto kStartOf = [](const auto& piece) { return piece.range.start; };

/// Begin a gap, then take parts of what is still open, in the order in which causes are asked for. Keeps its memory
/// from gap to gap.
class GapWalk {
 public:
  void begin(TimeRange gap) {
    m_open.assign(1, gap);
    m_pieces.clear();
  }
  /// What is open before `time`.
  void until(Nanoseconds time, Cause cause) {
    if (m_open.empty() || m_open.front().start >= time) return;
    const TimeRange before{m_open.front().start, time};
    within({&before, 1}, cause);
  }
  /// What is open within `ranges`, which are sorted and disjoint.
  void within(std::span<const TimeRange> ranges, Cause cause) {
    if (ranges.empty() || m_open.empty()) return;
    auto next = std::ranges::upper_bound(ranges, m_open.front().start, {}, &TimeRange::end);
    if (next == ranges.end() || next->start >= m_open.back().end) return;
    m_left.clear();
    for (TimeRange open : m_open) {
      while (next != ranges.end() && next->end <= open.start) ++next;
      for (auto range = next; range != ranges.end() && range->start < open.end; ++range) {
        const TimeRange both = intersection(*range, open);
        if (both.start > open.start) m_left.push_back({open.start, both.start});
        m_pieces.push_back({both, cause});
        open.start = both.end;
      }
      if (!open.empty()) m_left.push_back(open);
    }
    m_open.swap(m_left);
  }

  void rest(Cause cause) {
    for (const TimeRange& range : m_open) m_pieces.push_back({range, cause});
    m_open.clear();
  }

  /// The first `most` of what is open.
  void take(Nanoseconds most, Cause cause) {
    if (most <= 0) return;
    m_left.clear();
    for (const TimeRange& range : m_open) {
      const Nanoseconds to = std::min(range.end, range.start + most);
      most -= to - range.start;
      if (to > range.start) m_pieces.push_back({{range.start, to}, cause});
      if (to < range.end) m_left.push_back({to, range.end});
    }
    m_open.swap(m_left);
  }

  /// All pieces by start, neighbours of one cause joined. Nothing is open any more after rest().
  const std::vector<CausePiece>& pieces() {
    if (!std::ranges::is_sorted(m_pieces, {}, kStartOf)) std::ranges::sort(m_pieces, {}, kStartOf);
    std::size_t kept = 0;
    for (const CausePiece& piece : m_pieces) {
      if (kept > 0 && m_pieces[kept - 1].cause == piece.cause && m_pieces[kept - 1].range.end == piece.range.start) {
        m_pieces[kept - 1].range.end = piece.range.end;
      } else {
        m_pieces[kept++] = piece;
      }
    }
    m_pieces.resize(kept);
    return m_pieces;
  }

 private:
  std::vector<TimeRange> m_open;  ///< sorted, disjoint
  std::vector<TimeRange> m_left;
  std::vector<CausePiece> m_pieces;
};

/// Goes over the gaps between `busy` (joined) in all windows. explain(gap, item, window) begins a walk over each and
/// leaves nothing open; nameOf(item) is the place in Trace::names of what the gap lies before.
template <class Explain, class NameOf>
void explainLane(LaneCauses& lane, const std::vector<BusyPiece>& busy, const std::vector<StepWindow>& windows,
                 GapWalk& walk, const Explain& explain, const NameOf& nameOf) {
  for (std::size_t window = 0; window < windows.size(); ++window) {
    const TimeRange range = windows[window].range;
    if (range.empty()) continue;
    lane.window += range.length();
    lane.windows.push_back(range);
    lane.busy += visitGaps(busy, range, [&](TimeRange gap, std::uint32_t item) {
      walk.begin(gap);
      explain(gap, item, window);
      const std::vector<CausePiece>& pieces = walk.pieces();
      lane.gaps.push_back({gap, windows[window].step, item == kNoItem ? kNoItem : nameOf(item),
                           static_cast<std::uint32_t>(lane.pieces.size()), static_cast<std::uint32_t>(pieces.size())});
      lane.pieces.insert(lane.pieces.end(), pieces.begin(), pieces.end());
      lane.idle += gap.length();
      for (const CausePiece& piece : pieces) lane.causes[piece.cause] += piece.range.length();
    });
  }
  // They come by start unless windows overlap.
  if (!std::ranges::is_sorted(lane.gaps, {}, kStartOf)) std::ranges::stable_sort(lane.gaps, {}, kStartOf);
}

}  // namespace lanelab
