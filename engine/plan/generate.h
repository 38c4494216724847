// Makes schedules by name over any placement of stages on lanes.
//
// gpipe (Huang et al. 2019): all forwards, then all backwards in micro-batch order (PyTorch's order; torchgpipe runs them in reverse).
// 1f1b (Narayanan et al. 2019, PipeDream; "non-interleaved" in Megatron-LM): stage s of S holds at most S-s micro-batches.
// Both are orders of one global topological order, so no placement can deadlock.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/placement.h"
#include "engine/plan/schedule.h"

namespace lanelab {

const std::vector<std::string>& knownSchedules();

/// `lane_of_stage[s]` is the lane of stage s; `lanes` is how many rows the schedule has. Errors (BadInput): unknown name (names the nearest),
/// no stages, no micro-batches.
Result<Schedule> generateSchedule(const std::string& name, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches);

}  // namespace lanelab
