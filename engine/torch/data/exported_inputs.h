// SPDX-License-Identifier: GPL-3.0-only
// What training needs of an exported network: its weights, and what makes its stages.
#pragma once

#include <memory>

#include "engine/exported/exported_network.h"
#include "engine/torch/files/exported_weights.h"
#include "engine/torch/graph/graph_use.h"
#include "engine/torch/nn/initial_weights.h"
#include "engine/torch/nn/stage_module.h"

namespace lanelab {

struct ExportedInputs {
  std::shared_ptr<const ExportedNetwork> network;
  StoredWeights own;  ///< all tensors of the file, by all their names
  TensorMap weights;  ///< parameters and buffers; of tied ones the first, views of the file (exported_weights.h)
  StageModuleFactory modules;
};

/// Weights that its file does not have are drawn from `seed`. Errors (BadInput) begin with the file.
Result<ExportedInputs> loadExported(std::shared_ptr<const ExportedNetwork> network, std::uint64_t seed,
                                    GraphUse use = GraphUse::Training);

}  // namespace lanelab
