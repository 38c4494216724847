// SPDX-License-Identifier: GPL-3.0-only
// The parts that generate.cpp puts together: one function a family of schedules. Requests are checked before.
#pragma once

#include "engine/schedule/generate.h"

namespace lanelab {

/// p, when the stages lie so on p lanes: round them again and again, or down and back, which a V is once. Of a layout
/// that is not Any.
std::optional<int> lanesLaidOut(StageLayout layout, const std::vector<LaneId>& lane_of_stage);

/// Forwards before the first backward: of the first of `count` (stages or lanes) `first`, of the last `last`, between
/// in proportion.
int warmUpOf(int index, int count, int first, int last);

/// `warm_up` forwards, then a backward and a forward in turn, then the backwards that are left. With `weight_delay` the
/// backwards are input parts, and the weight part of each follows so many backwards later.
std::vector<Action> inTurn(const std::vector<Action>& forwards, const std::vector<Action>& backwards,
                           std::size_t warm_up, std::optional<std::size_t> weight_delay = std::nullopt);

/// That of each stage, with at most the micro-batches as warm-up.
ActionRows oneForwardOneBackwardOrders(int stages, int micro_batches, int warm_up);
/// The same with I for the backward; W follows `delay` micro-batches later, which is what stage s holds fewer than
/// stage 0, or 0.
ActionRows splitOrders(int stages, int micro_batches, int warm_up, bool delayed);

/// The first lane's warm-up depth: its own; the least, which no lane can do without; the most, beyond which it would
/// wait for its own backward.
struct InterleavedDepth {
  int own;
  int least;
  int most;
};
InterleavedDepth interleavedDepth(int stages, int lanes, int micro_batches);

/// Takes time that grows with the cube of the lanes, which are at most this many.
inline constexpr int kMostVMemoryLanes = 1024;

/// What each schedule is made from. References live as long as the call.
struct ScheduleRequest {
  const std::vector<LaneId>& lane_of_stage;
  int lanes = 0;
  int micro_batches = 0;
  WindowKind window = WindowKind::Step;
  const std::vector<StageTimes>& times;  ///< one a stage
  const ScheduleLimits& limits;

  int stages() const { return static_cast<int>(lane_of_stage.size()); }
};

/// Of the lanes of the first stages: as many as `depth`.
template <class MakeRow>
ActionRows rowsByPosition(const ScheduleRequest& request, int depth, MakeRow rowOf) {
  ActionRows rows(static_cast<std::size_t>(request.lanes));
  for (int position = 0; position < depth; ++position)
    rows[request.lane_of_stage[static_cast<std::size_t>(position)].index()] = rowOf(position);
  return rows;
}

/// The generators: what each lane does.
ActionRows gpipeRows(const ScheduleRequest& request);
ActionRows oneForwardOneBackwardRows(const ScheduleRequest& request);
ActionRows zeroBubbleRows(const ScheduleRequest& request);
ActionRows interleavedRows(const ScheduleRequest& request);
ActionRows interleavedZeroBubbleRows(const ScheduleRequest& request);
ActionRows loopedBreadthFirstRows(const ScheduleRequest& request);
ActionRows zeroBubbleVRows(const ScheduleRequest& request);
/// At most a half, or a third, of 1F1B's activations.
ActionRows halfMemoryVRows(const ScheduleRequest& request);
ActionRows thirdMemoryVRows(const ScheduleRequest& request);
ActionRows dualPipeVRows(const ScheduleRequest& request);
/// Of wave stages; the warm-up as of 1f1b.
ActionRows waveRows(const ScheduleRequest& request);
ActionRows listRows(const ScheduleRequest& request);

/// By lane the bytes that its stages hold of one micro-batch together.
std::vector<std::int64_t> bytesOfLanes(const std::vector<LaneId>& lane_of_stage, int lanes,
                                       const std::vector<std::int64_t>& stage_bytes);

}  // namespace lanelab
