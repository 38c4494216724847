// SPDX-License-Identifier: GPL-3.0-only
// What a lane does differently by the variant's strategy: which rows it gets, what it does with other replicas, and
// where the loss is taken.
#pragma once

#include <memory>

#include "engine/torch/data/replica_rows.h"
#include "engine/torch/devices/device_lane.h"
#include "engine/torch/lanes/lane_stages.h"
#include "engine/torch/lanes/loss_head.h"
#include "engine/torch/lanes/replica_strategy.h"
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
