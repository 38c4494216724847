// SPDX-License-Identifier: GPL-3.0-only
// hanayo: stages that go down the lanes and back several times (Liu et al. 2023, "Hanayo: Harnessing Wave-like Pipeline
// Parallelism", which has no public code). Each wave more divides the idle time further and adds transfers.
//
// The paper's order starts each action as soon as it can, backwards first, with backwards twice as long as forwards.
// Here each stage has 1F1B's order besides, which bounds what a lane holds for any number of micro-batches.
#include "engine/schedule/generate_parts.h"

namespace lanelab {

ActionRows waveRows(const ScheduleRequest& request) {
  constexpr StageTimes kBackwardTwiceAsLong = {1, 2, 1};
  const int stages = request.stages();
  const ActionRows orders =
      oneForwardOneBackwardOrders(stages, request.micro_batches, request.limits.warm_up.value_or(stages - 1));
  const std::vector<StageTimes> times(request.lane_of_stage.size(), kBackwardTwiceAsLong);
  return mergeOrders(orders, request.lane_of_stage, times, request.lanes, request.micro_batches);
}

}  // namespace lanelab
