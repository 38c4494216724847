// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/core_time.h"

namespace lanelab {

std::vector<CoreTime> coreTimes(const Trace& trace) {
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
