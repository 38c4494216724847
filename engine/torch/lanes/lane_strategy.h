// SPDX-License-Identifier: GPL-3.0-only
// What a lane does differently by the variant's strategy: which rows it gets, what it does with other replicas, and
// where the loss is taken.
#pragma once

#include <memory>
#include <string>

#include "engine/torch/data/replica_rows.h"
#include "engine/torch/devices/device_lane.h"
#include "engine/torch/lanes/lane_stages.h"
#include "engine/torch/lanes/loss_head.h"
#include "engine/torch/lanes/peers.h"
#include "engine/torch/record/replica_spans.h"

namespace lanelab {

/// The parts of a lane that its strategy works with. All outlive the strategy.
struct LaneParts {
  const TrainingJob& job;
  LaneId lane;
  int replica = 0;  ///< that the lane works for
  LaneStages& stages;
  DeviceLane& device;
  ReplicaSpans& spans;  ///< of what the lane does for its replica
};

/// How a lane works together with the other replicas of its stages: what happens to weights, buffers and gradients
/// around its own actions. Its own forwards, backwards and updates know of none.
///
/// As it is, it serves a lane without other replicas. The lane's thread only. Everything may wait for other replicas,
/// and throws std::runtime_error with a sentence when these are gone. Micro-batches are counted within the lane's
/// replica.
class ReplicaStrategy {
 public:
  virtual ~ReplicaStrategy() = default;

  /// All replicas at once, before a repeat's first step. Groups begin with `name`, which no other joining has.
  virtual void join(const std::string& /*name*/, Peers* /*peers*/) {}
  /// A sentence where they were not joined as they should; empty otherwise.
  virtual std::string notice() const { return {}; }

  virtual void beginStep() {}
  /// Before an action: gets what it needs of other replicas; whether there was anything.
  virtual bool await(const Action&) { return false; }
  virtual void beforeBackward(StageId, MicroBatchId) {}
  virtual void afterBackward() {}
  virtual void beforeUpdate() {}
  /// The lane leaves its step early, and others may wait for it.
  virtual void leave() {}
};

struct LaneStrategy {
  std::unique_ptr<ReplicaRows> rows;
  std::unique_ptr<ReplicaStrategy> replicas;
  std::unique_ptr<LossHead> head;  ///< of lanes without the model's last stage, too, where nothing reaches it
};

/// Single and pipeline, ddp, or data-parallel.
LaneStrategy makeLaneStrategy(const LaneParts& lane);

/// Distributed data parallelism: a link to the other replicas for each of the lane's stages (ddp_replica.cpp).
std::unique_ptr<ReplicaStrategy> makeDdpReplica(const LaneParts& lane);

/// Data parallelism, of a lane with the whole model; throws what the exchange throws (data_parallel_strategy.cpp).
LaneStrategy makeDataParallelStrategy(const LaneParts& lane, StepLoss loss);

}  // namespace lanelab
