// SPDX-License-Identifier: GPL-3.0-only
// Takes the explained gaps of a lane one by one and keeps its sums.
#pragma once

#include "profiler/analysis/gap_walk.h"
#include "profiler/analysis/idle_causes.h"

namespace lanelab {

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
