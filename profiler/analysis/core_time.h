// SPDX-License-Identifier: GPL-3.0-only
// How much of their actions' time the lanes' threads had a core: what is missing went to other programs, or to waiting,
// and is no compute.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Of a lane's actions that tell both.
struct CoreTime {
  Nanoseconds length = 0;
  Nanoseconds cpu = 0;  ///< of the lane's own thread; threads that help it are not counted
};

/// One entry for each lane of the trace; zeros where nothing is known, as of GPUs and of predicted traces.
inline std::vector<CoreTime> coreTimes(const Trace& trace) {
  std::vector<CoreTime> lanes(trace.lanes.size());
  for (const Track& track : trace.tracks) {
    if (trace.laneAt(track.lane) == nullptr) continue;
    CoreTime& lane = lanes[static_cast<std::size_t>(track.lane)];
    for (const Span& span : track.spans) {
      if (span.category != Category::Action || span.cpu < 0) continue;
      lane.length += span.range().length();
      lane.cpu += span.cpu;
    }
  }
  return lanes;
}

}  // namespace lanelab
