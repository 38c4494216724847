// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/gaps.h"

#include <algorithm>

namespace lanelab {

namespace {

using LanePieces = std::vector<std::vector<BusyPiece>>;

/// Of each lane, with the names of its actions as items.
LanePieces busyPieces(const Trace& trace) {
  LanePieces lanes(trace.lanes.size());
  for (const Track& track : trace.tracks) {
    if (track.lane < 0 || static_cast<std::size_t>(track.lane) >= lanes.size()) continue;
    auto& pieces = lanes[static_cast<std::size_t>(track.lane)];
    for (const Span& span : track.spans)
      if (span.category == Category::Action) pieces.push_back({span.range(), span.name});
  }
  for (auto& pieces : lanes) pieces = joinedPieces(std::move(pieces));
  return lanes;
}

std::vector<LaneIdle> idleOver(const Trace& trace, const std::vector<StepWindow>& windows) {
  const LanePieces pieces = busyPieces(trace);
  std::vector<LaneIdle> lanes(pieces.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    LaneIdle& lane = lanes[i];
    lane.lane = static_cast<int>(i);
    for (const StepWindow& window : windows) {
      if (window.range.empty()) continue;
      lane.window += window.range.length();
      lane.busy += visitGaps(pieces[i], window.range, [&](TimeRange gap, std::uint32_t name) {
        lane.idle += gap.length();
        lane.gaps.push_back({gap, window.step, name == no_item ? "end" : trace.names[name]});
      });
    }
    std::stable_sort(lane.gaps.begin(), lane.gaps.end(),
                     [](const Gap& a, const Gap& b) { return a.range.start < b.range.start; });
  }
  return lanes;
}

}  // namespace

std::vector<LaneIdle> findGaps(const Trace& trace) { return idleOver(trace, stepWindows(trace)); }

std::vector<LaneIdle> busyWithin(const Trace& trace, TimeRange range) { return idleOver(trace, {{-1, range}}); }

}  // namespace lanelab
