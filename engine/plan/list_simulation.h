// Merges the orders of the stages that share a lane, by running them in thought: a lane that falls idle takes, of the next actions of its
// stages, one whose inputs are there. Backwards go first, since they free memory.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/schedule.h"

namespace lanelab {

/// How long the actions of one stage take, in any unit that all stages share; at least 1.
struct StageTimes {
  std::int64_t forward = 1;
  std::int64_t backward = 1;
};

/// `orders[s]` is what stage s does, in its own order; each action once, and together they must be able to end. Gives the rows of `lanes`
/// lanes. Ends for every placement: the orders never wait for each other in a circle, so some action is ready until all are done.
std::vector<std::vector<Action>> mergeOrders(const std::vector<std::vector<Action>>& orders, const std::vector<LaneId>& lane_of_stage,
                                             const std::vector<StageTimes>& times, int lanes, int micro_batches);

}  // namespace lanelab
