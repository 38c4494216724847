// Makes schedules by name over any placement of stages on lanes.
//
// gpipe (Huang et al. 2019): all forwards, then all backwards in micro-batch order (PyTorch's order; torchgpipe runs them in reverse).
// 1f1b (Narayanan et al. 2019, PipeDream; "non-interleaved" in Megatron-LM): stage s of S holds at most S-s micro-batches.
// Each stage keeps its own order whatever lane it lies on; the stages of one lane are merged by a list simulation, so no placement can
// deadlock and one stage a lane gives exactly PyTorch's order (torch/distributed/pipelining/schedules.py).
#pragma once

#include <string>
#include <vector>

#include "engine/plan/list_simulation.h"
#include "engine/plan/placement.h"
#include "engine/plan/schedule.h"

namespace lanelab {

const std::vector<std::string>& knownSchedules();

/// `lane_of_stage[s]` is the lane of stage s; `lanes` is how many rows the schedule has; `times`, one a stage or none for "all alike", say
/// which of its stages a lane should take first. Errors (BadInput): unknown name (names the nearest),
/// no stages, no micro-batches, too many of either, a stage on a lane that does not exist.
Result<Schedule> generateSchedule(const std::string& name, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches,
                                  const std::vector<StageTimes>& times = {});

}  // namespace lanelab
