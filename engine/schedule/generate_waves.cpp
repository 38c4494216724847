// SPDX-License-Identifier: GPL-3.0-only
// hanayo: stages that go down the lanes and back several times (Liu et al. 2023, "Hanayo: Harnessing Wave-like Pipeline
// Parallelism", which has no public code). Each wave more divides the idle time further and adds transfers.
//
// The paper's order starts each action as soon as it can, backwards first, with backwards twice as long as forwards.
// Here each stage has 1F1B's order besides, which bounds what a lane holds for any number of micro-batches.
#include <algorithm>
#include <set>

#include "engine/schedule/generate_parts.h"

namespace lanelab {

std::optional<int> waveLanes(const std::vector<LaneId>& lane_of_stage) {
  const auto turn = std::ranges::adjacent_find(lane_of_stage);
  if (turn == lane_of_stage.end()) return std::nullopt;
  const auto lanes = static_cast<std::size_t>(turn - lane_of_stage.begin()) + 1;
  if (lane_of_stage.size() % (2 * lanes) != 0 ||
      std::set<LaneId>(lane_of_stage.begin(), lane_of_stage.begin() + static_cast<std::ptrdiff_t>(lanes)).size() !=
          lanes)
    return std::nullopt;
  for (std::size_t s = 0; s < lane_of_stage.size(); ++s) {
    const std::size_t in_wave = s % (2 * lanes);
    if (lane_of_stage[s] != lane_of_stage[std::min(in_wave, 2 * lanes - 1 - in_wave)]) return std::nullopt;
  }
  return static_cast<int>(lanes);
}

ActionRows waveRows(const ScheduleRequest& request) {
  constexpr StageTimes kBackwardTwiceAsLong = {1, 2, 1};
  const int stages = request.stages();
  const ActionRows orders =
      oneForwardOneBackwardOrders(stages, request.micro_batches, request.limits.warm_up.value_or(stages - 1));
  const std::vector<StageTimes> times(request.lane_of_stage.size(), kBackwardTwiceAsLong);
  return mergeOrders(orders, request.lane_of_stage, times, request.lanes, request.micro_batches);
}

}  // namespace lanelab
