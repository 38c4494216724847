// SPDX-License-Identifier: GPL-3.0-only
// The exact partition next to what others would cut: by MACs, by parameters, by memory, and where the tutorial cuts.
// All costs are those of the same measured times, so that a person sees what a rule of thumb costs.
#pragma once

#include <string>
#include <vector>

#include "engine/model/model_spec.h"
#include "engine/placement/partition.h"

namespace lanelab {

struct NamedPartition {
  std::string name;  ///< "measured time", "MACs", "parameters", "memory", "tutorial"
  Partition partition;
};

/// How a network trains, as far as the rule of thumb for memory goes.
struct ThumbMemory {
  int optimizer_states = 0;
  int samples = 1;  ///< of a micro-batch
};

/// The best first. The others share their own measure evenly over the stages and look at nothing else: memory is
/// parameters, their gradients, the optimizer's copies, buffers, and what one micro-batch keeps for backward;
/// `tutorial` is the cut before layer3.0 of the PyTorch model-parallel tutorial, for ResNets in two stages. `model` has
/// the problem's blocks, in its order.
Result<std::vector<NamedPartition>> comparePartitions(const PartitionProblem& problem, const ModelSpec& model,
                                                      const ThumbMemory& memory);

}  // namespace lanelab
