// SPDX-License-Identifier: GPL-3.0-only
// Cuts the gaps of a lane into pieces of cause, the first cause that holds winning, and keeps the lane's sums.
#pragma once

#include <span>
#include <vector>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// Begin a gap, then take parts of what is still open, in the order in which causes are asked for. Keeps its memory
/// from gap to gap.
class GapWalk {
 public:
  void begin(TimeRange gap);
  /// What is open before `time`.
  void until(Nanoseconds time, Cause cause);
  /// What is open within `ranges`, which are sorted and disjoint.
  void within(std::span<const TimeRange> ranges, Cause cause);
  void rest(Cause cause);

  /// A share of upstream time.
  struct Share {
    Cause cause;
    Nanoseconds most;
  };
  /// What is open before `time`, from its begin on: the first share up to its most, then the second ..., then `rest`.
  void untilShared(Nanoseconds time, std::span<const Share> shares, Cause rest);

  /// All pieces by start, neighbours of one cause joined. Nothing is open any more after rest().
  const std::vector<CausePiece>& pieces();

 private:
  std::vector<TimeRange> m_open;  ///< sorted, disjoint
  std::vector<TimeRange> m_left;
  std::vector<CausePiece> m_pieces;
};

void addGap(LaneCauses& lane, TimeRange gap, int step, std::uint32_t before, const std::vector<CausePiece>& pieces);
/// By start; they come so unless windows overlap.
void sortGaps(LaneCauses& lane);

/// Goes over the gaps between `busy` (joined) in all windows. explain(gap, item, window) begins a walk over each and
/// leaves nothing open; nameOf(item) is the place in Trace::names of what the gap lies before.
template <class Explain, class NameOf>
void explainLane(LaneCauses& lane, const std::vector<BusyPiece>& busy, const std::vector<StepWindow>& windows,
                 GapWalk& walk, const Explain& explain, const NameOf& nameOf) {
  for (std::size_t window = 0; window < windows.size(); ++window) {
    const TimeRange range = windows[window].range;
    if (range.empty()) continue;
    lane.window += range.length();
    lane.busy += visitGaps(busy, range, [&](TimeRange gap, std::uint32_t item) {
      walk.begin(gap);
      explain(gap, item, window);
      addGap(lane, gap, windows[window].step, item == kNoItem ? kNoItem : nameOf(item), walk.pieces());
    });
  }
  sortGaps(lane);
}

}  // namespace lanelab
