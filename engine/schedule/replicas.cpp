// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/replicas.h"

#include <algorithm>

namespace lanelab {

StageLanes lanesOfStages(const std::vector<Stage>& stages) {
  std::vector<LaneId> lanes;
  for (const Stage& stage : stages) lanes.push_back(stage.lane);
  return {lanes};
}

StageLanes stageLanesOfRows(const Schedule& schedule, const std::vector<Stage>& stages) {
  StageLanes lanes(static_cast<std::size_t>(schedule.replicas), lanesOfStages(stages).front());
  for (std::size_t lane = 0; lane < schedule.lanes.size(); ++lane) {
    for (const Action& action : schedule.lanes[lane]) {
      if (const int replica = replicaOf(schedule, action.micro_batch); replica > 0)
        lanes[static_cast<std::size_t>(replica)][action.stage.index()] = LaneId(lane);
    }
  }
  return lanes;
}

int replicaOfLane(const StageLanes& lanes, LaneId lane) {
  for (std::size_t replica = 0; replica < lanes.size(); ++replica) {
    if (std::find(lanes[replica].begin(), lanes[replica].end(), lane) != lanes[replica].end())
      return static_cast<int>(replica);
  }
  return -1;
}

Schedule replicate(const Schedule& one, const std::vector<std::vector<LaneId>>& lanes) {
  Schedule all{one.stages, one.micro_batches * static_cast<int>(lanes.size()),
               std::vector<std::vector<Action>>(one.lanes.size())};
  all.replicas = static_cast<int>(lanes.size());
  for (std::size_t replica = 0; replica < lanes.size(); ++replica) {
    for (std::size_t i = 0; i < lanes[replica].size(); ++i) {
      std::vector<Action>& row = all.lanes[lanes[replica][i].index()];
      row = one.lanes[lanes[0][i].index()];
      for (Action& action : row) action.micro_batch.value += static_cast<int>(replica) * one.micro_batches;
    }
  }
  return all;
}

Schedule firstReplica(const Schedule& schedule) {
  Schedule first = schedule;
  first.micro_batches = schedule.micro_batches / schedule.replicas;
  first.replicas = 1;
  for (auto& row : first.lanes) {
    std::erase_if(row, [&](const Action& action) { return action.micro_batch.value >= first.micro_batches; });
  }
  return first;
}

std::vector<int> chunkSizes(int samples, int replicas) {
  const int chunk = (samples + replicas - 1) / replicas;
  std::vector<int> sizes;
  for (int left = samples; left > 0; left -= chunk) sizes.push_back(std::min(chunk, left));
  return sizes;
}

}  // namespace lanelab
