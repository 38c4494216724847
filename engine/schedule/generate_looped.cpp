// SPDX-License-Identifier: GPL-3.0-only
// The schedules of stages that go round the lanes, as in torch/distributed/pipelining/schedules.py: interleaved-1f1b,
// interleaved-zb and looped-bfs.
#include <algorithm>
#include <set>

#include "engine/schedule/generate_parts.h"

namespace lanelab {
namespace {

// In a round each lane takes this many micro-batches through one of its stages before it continues with the next.
// PyTorch wants all rounds alike; here the first ones are one longer where they cannot be, which the warm-up (for the
// longest) covers.
std::vector<int> roundsOf(int lanes, int micro_batches) {
  const int rounds = std::max(1, micro_batches / lanes);
  std::vector<int> sizes;
  for (int r = 0; r < rounds; ++r) sizes.push_back(micro_batches / rounds + (r < micro_batches % rounds ? 1 : 0));
  return sizes;
}

// A lane's actions of one kind, by round, then by its own stages (forward from the first, backward from the last), then
// by micro-batch.
std::vector<Action> depthFirst(int position, int lanes, int own_stages, const std::vector<int>& rounds,
                               ActionKind kind) {
  std::vector<Action> actions;
  int first = 0;
  for (const int size : rounds) {
    for (int i = 0; i < own_stages; ++i) {
      const int own = kind == ActionKind::Forward ? i : own_stages - 1 - i;
      for (int k = 0; k < size; ++k)
        actions.push_back({StageId(own * lanes + position), kind, MicroBatchId(first + k)});
    }
    first += size;
  }
  return actions;
}

}  // namespace

std::optional<int> loopedLanes(const std::vector<LaneId>& lane_of_stage) {
  const auto again = std::find(lane_of_stage.begin() + 1, lane_of_stage.end(), lane_of_stage.front());
  const auto lanes = static_cast<std::size_t>(again - lane_of_stage.begin());
  if (std::set<LaneId>(lane_of_stage.begin(), again).size() != lanes || lane_of_stage.size() % lanes != 0)
    return std::nullopt;
  for (std::size_t s = lanes; s < lane_of_stage.size(); ++s) {
    if (lane_of_stage[s] != lane_of_stage[s - lanes]) return std::nullopt;
  }
  return static_cast<int>(lanes);
}

InterleavedDepth interleavedDepth(int stages, int lanes, int micro_batches) {
  const std::vector<int> rounds = roundsOf(lanes, micro_batches);
  const int least = (stages / lanes - 1) * rounds.front() + 1;
  return {least + 2 * (lanes - 1), least, least + 2 * rounds.back()};
}

ActionRows interleavedRows(const ScheduleRequest& request) {
  const int stages = request.stages(), around = *loopedLanes(request.lane_of_stage);
  const std::vector<int> rounds = roundsOf(around, request.micro_batches);
  const InterleavedDepth depth = interleavedDepth(stages, around, request.micro_batches);
  const int deepest = std::min(request.limits.warm_up.value_or(depth.own), std::max(depth.own, depth.most));
  return rowsByPosition(request, around, [&](int position) {
    const std::vector<Action> forwards = depthFirst(position, around, stages / around, rounds, ActionKind::Forward);
    const std::vector<Action> backwards = depthFirst(position, around, stages / around, rounds, ActionKind::Backward);
    const auto first =
        std::min(forwards.size(), static_cast<std::size_t>(warmUpOf(position, around, deepest, depth.least)));
    std::vector<Action> row(forwards.begin(), forwards.begin() + static_cast<std::ptrdiff_t>(first));
    for (std::size_t i = 0; i < backwards.size(); ++i) {
      row.push_back(backwards[i]);
      if (first + i < forwards.size()) row.push_back(forwards[first + i]);
    }
    return row;
  });
}

ActionRows interleavedZeroBubbleRows(const ScheduleRequest& request) {
  const int stages = request.stages(), around = *loopedLanes(request.lane_of_stage);
  const std::vector<int> rounds = roundsOf(around, request.micro_batches);
  const int least = interleavedDepth(stages, around, request.micro_batches).least;
  return rowsByPosition(request, around, [&](int position) {
    const std::vector<Action> forwards = depthFirst(position, around, stages / around, rounds, ActionKind::Forward);
    const std::vector<Action> inputs = depthFirst(position, around, stages / around, rounds, ActionKind::BackwardInput);
    const auto ahead = static_cast<std::size_t>(least + around - 1 - position);
    const auto behind = static_cast<std::size_t>(position);
    std::vector<Action> row(forwards.begin(),
                            forwards.begin() + static_cast<std::ptrdiff_t>(std::min(ahead, forwards.size())));
    const auto addWeight = [&](std::size_t i) {
      row.push_back({inputs[i].stage, ActionKind::BackwardWeight, inputs[i].micro_batch});
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      row.push_back(inputs[i]);
      if (i >= behind) addWeight(i - behind);
      if (ahead + i < forwards.size()) row.push_back(forwards[ahead + i]);
    }
    for (std::size_t i = inputs.size() - std::min(behind, inputs.size()); i < inputs.size(); ++i) addWeight(i);
    return row;
  });
}

ActionRows loopedBreadthFirstRows(const ScheduleRequest& request) {
  const int stages = request.stages(), around = *loopedLanes(request.lane_of_stage);
  return rowsByPosition(request, around, [&](int position) {
    std::vector<Action> row;
    const auto addStage = [&](int s, ActionKind kind) {
      for (int k = 0; k < request.micro_batches; ++k) row.push_back({StageId(s), kind, MicroBatchId(k)});
    };
    for (int s = position; s < stages; s += around) addStage(s, ActionKind::Forward);
    for (int s = stages - around + position; s >= 0; s -= around) addStage(s, ActionKind::Backward);
    return row;
  });
}

}  // namespace lanelab
