// SPDX-License-Identifier: GPL-3.0-only
// Idle time: for each lane, the step windows minus the union of its compute. busy + idle = window, to the nanosecond.
#pragma once

#include <string>
#include <vector>

#include "profiler/analysis/busy_pieces.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// A maximal part of a step window that no action of the lane covers.
struct Gap {
  TimeRange range;
  int step = 0;
  std::string before;  ///< the action it lies before, "1F0"; "end" at the window's end
};

struct LaneIdle {
  int lane = 0;
  Nanoseconds window = 0;  ///< summed over steps
  Nanoseconds busy = 0;
  Nanoseconds idle = 0;
  std::vector<Gap> gaps;  ///< by start
};

/// One entry for each lane of the trace, also for lanes without any action (all idle).
std::vector<LaneIdle> findGaps(const Trace& trace);

/// The same over one range only (a selection): busy and idle within `range` for each lane, no step windows;
/// the gaps have step -1.
std::vector<LaneIdle> busyWithin(const Trace& trace, TimeRange range);

}  // namespace lanelab
