// SPDX-License-Identifier: GPL-3.0-only
// The schedules of stages that go round the lanes, as in torch/distributed/pipelining/schedules.py: interleaved-1f1b,
// interleaved-zb and looped-bfs.
#include <algorithm>

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

int lanesAround(const ScheduleRequest& request) {
  return *lanesLaidOut(StageLayout::RoundRobin, request.lane_of_stage);
}

}  // namespace

InterleavedDepth interleavedDepth(int stages, int lanes, int micro_batches) {
  const std::vector<int> rounds = roundsOf(lanes, micro_batches);
  const int least = (stages / lanes - 1) * rounds.front() + 1;
  return {least + 2 * (lanes - 1), least, least + 2 * rounds.back()};
}

ActionRows interleavedRows(const ScheduleRequest& request) {
  const int stages = request.stages(), around = lanesAround(request);
  const std::vector<int> rounds = roundsOf(around, request.micro_batches);
  const InterleavedDepth depth = interleavedDepth(stages, around, request.micro_batches);
  const int deepest = std::min(request.limits.warm_up.value_or(depth.own), std::max(depth.own, depth.most));
  return rowsByPosition(request, around, [&](int position) {
    return inTurn(depthFirst(position, around, stages / around, rounds, ActionKind::Forward),
                  depthFirst(position, around, stages / around, rounds, ActionKind::Backward),
                  static_cast<std::size_t>(warmUpOf(position, around, deepest, depth.least)));
  });
}

ActionRows interleavedZeroBubbleRows(const ScheduleRequest& request) {
  const int stages = request.stages(), around = lanesAround(request);
  const std::vector<int> rounds = roundsOf(around, request.micro_batches);
  const int least = interleavedDepth(stages, around, request.micro_batches).least;
  return rowsByPosition(request, around, [&](int position) {
    return inTurn(depthFirst(position, around, stages / around, rounds, ActionKind::Forward),
                  depthFirst(position, around, stages / around, rounds, ActionKind::BackwardInput),
                  static_cast<std::size_t>(least + around - 1 - position), static_cast<std::size_t>(position));
  });
}

ActionRows loopedBreadthFirstRows(const ScheduleRequest& request) {
  const int stages = request.stages(), around = lanesAround(request);
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
