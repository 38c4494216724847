// SPDX-License-Identifier: GPL-3.0-only
// What the workers of a variant share.
#pragma once

#include <memory>

#include "engine/experiment/variant_plan.h"
#include "engine/torch/data/batch_loader.h"
#include "engine/torch/data/training_inputs.h"
#include "engine/torch/lanes/data_parallel_exchange.h"
#include "engine/torch/lanes/peers.h"
#include "engine/torch/lanes/tied_gradients.h"
#include "engine/torch/nn/gradient_norm.h"

namespace lanelab {

/// Where the lanes of a replica meet before their updates if gradients are clipped: each needs the norms of all stages
/// of all lanes. A lane of another process is offered by one that has received its norms.
using NormExchange = RoundExchange<LaneId, GradientNorms>;

/// Immutable while workers live.
struct TrainingJob {
  Experiment experiment;
  ModelSpec model;
  VariantPlan plan;
  std::shared_ptr<const TrainingInputs> inputs;
  std::shared_ptr<BatchLoader> batches = nullptr;  ///< the session's; it starts and stops it
  PeersFactory peers = {};  ///< join the replicas of ddp, and reach lanes of other processes; may be empty
  std::shared_ptr<DataParallelExchange> exchange = nullptr;  ///< of data-parallel, else null
  std::shared_ptr<TiedGradients> ties = nullptr;             ///< null where no parameter is in several stages
  std::shared_ptr<NormExchange> norms = nullptr;  ///< null unless gradients of several stages are clipped together
};

}  // namespace lanelab
