// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/known_lanes.h"

#include <algorithm>

namespace lanelab {

void addMissingLanes(Trace& trace) {
  constexpr int kMostNew = 4096;
  for (const Track& track : trace.tracks)
    while (track.lane >= 0 && trace.lanes.size() <= static_cast<std::size_t>(std::min(track.lane, kMostNew)))
      trace.lanes.push_back({"lane " + std::to_string(trace.lanes.size()), ""});
  const auto bound = [&trace](int& lane) {
    if (lane < 0 || static_cast<std::size_t>(lane) >= trace.lanes.size()) lane = -1;
  };
  for (Track& track : trace.tracks) bound(track.lane);
  for (Counter& counter : trace.counters) bound(counter.lane);
}

}  // namespace lanelab
