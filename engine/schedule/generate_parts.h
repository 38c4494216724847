// SPDX-License-Identifier: GPL-3.0-only
// The parts that generate.cpp puts together: one function a family of schedules. Requests are checked before.
#pragma once

#include "engine/schedule/generate.h"

namespace lanelab {

/// p, when the stages go round p lanes again and again (p = number of stages: once).
std::optional<int> loopedLanes(const std::vector<LaneId>& lane_of_stage);
/// p, when the stages go down p lanes and back, again and again; a V is one such wave.
std::optional<int> waveLanes(const std::vector<LaneId>& lane_of_stage);
/// p, when 2p stages lie in a V on p lanes.
std::optional<int> vLanes(const std::vector<LaneId>& lane_of_stage);

/// Forwards before the first backward: of the first of `count` (stages or lanes) `first`, of the last `last`, between
/// in proportion.
int warmUpOf(int index, int count, int first, int last);

/// Of each stage: `warm_up` forwards (at most the micro-batches), then a backward and a forward in turn, then the
/// backwards that are left.
ActionRows gpipeOrders(int stages, int micro_batches);
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

/// The warm-up depth of zb-h1: that of 1F1B, or where steps overlap one that makes the period shorter.
int zeroBubbleDepth(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches, WindowKind window,
                    const std::vector<StageTimes>& times);

/// By lane.
ActionRows interleavedRows(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches,
                           std::optional<int> warm_up);
ActionRows interleavedZeroBubbleRows(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches);
ActionRows loopedBreadthFirstRows(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches);
ActionRows zeroBubbleVRows(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches);
ActionRows dualPipeVRows(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches);
/// Of wave stages; `warm_up` as of 1f1b.
ActionRows waveRows(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches, std::optional<int> warm_up);

/// What a lane may hold at most, of 1F1B's activations.
enum class VMemory { Half, Third };
/// Takes time that grows with the cube of the lanes, which are at most kMostVMemoryLanes.
inline constexpr int kMostVMemoryLanes = 1024;
ActionRows memoryVRows(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches, VMemory memory);

ActionRows listRows(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches, WindowKind window,
                    const std::vector<StageTimes>& times, const ScheduleLimits& limits);

/// By lane the bytes that its stages hold of one micro-batch together.
std::vector<std::int64_t> bytesOfLanes(const std::vector<LaneId>& lane_of_stage, int lanes,
                                       const std::vector<std::int64_t>& stage_bytes);

}  // namespace lanelab
