// SPDX-License-Identifier: GPL-3.0-only
// What all lanes and variants of an experiment share: the data and the initial weights, on the host, and what builds
// the network. Immutable.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "engine/exported/exported_network.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/nn/initial_weights.h"
#include "engine/torch/nn/stage_module.h"

namespace lanelab {

/// What is written of a network's weights, in order: under the names of state_dict().
using StateDict = std::function<NamedTensors(const TensorMap&)>;

/// The network of an experiment before its first step.
struct InitialNetwork {
  TensorMap weights;  ///< parameters and buffers by the names of the modules' slots
  StageModuleFactory modules;
  StateDict state_dict = {};
};

struct TrainingInputs : InitialNetwork {
  Dataset data;
};

/// The network alone, without data. Errors (BadInput) name model.file or model.weights, and what of it cannot be run.
Result<InitialNetwork> initialNetwork(const std::shared_ptr<const ExportedNetwork>& network, const ModelConfig& model,
                                      std::uint64_t seed);

/// Loads the data, and reads model.weights or draws them from training.seed, unless the network is `known`. Errors
/// (BadInput) name place and fix.
Result<std::shared_ptr<const TrainingInputs>> loadTrainingInputs(const Experiment& experiment,
                                                                 const std::shared_ptr<const ExportedNetwork>& network,
                                                                 std::optional<InitialNetwork> known = {});

}  // namespace lanelab
