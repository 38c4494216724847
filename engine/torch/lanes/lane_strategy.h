// SPDX-License-Identifier: GPL-3.0-only
// What a lane does differently by the variant's strategy: which rows it gets, what it does with other replicas, and
// where the loss is taken.
#pragma once

#include <memory>

#include "engine/torch/data/replica_rows.h"
#include "engine/torch/lanes/lane_parts.h"
#include "engine/torch/lanes/loss_head.h"
#include "engine/torch/lanes/replica_strategy.h"

namespace lanelab {

struct LaneStrategy {
  std::unique_ptr<ReplicaRows> rows;
  std::unique_ptr<ReplicaStrategy> replicas;
  std::unique_ptr<LossHead> head;  ///< of lanes without the model's last stage, too, where nothing reaches it
};

/// Single and pipeline, ddp, or data-parallel.
LaneStrategy makeLaneStrategy(const LaneParts& lane);

}  // namespace lanelab
