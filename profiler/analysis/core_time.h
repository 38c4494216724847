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
std::vector<CoreTime> coreTimes(const Trace& trace);

}  // namespace lanelab
