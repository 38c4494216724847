// SPDX-License-Identifier: GPL-3.0-only
// A built-in network as one module with its initial weights, for tests that compute without lanes.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/networks/built_network.h"
#include "engine/torch/data/training_inputs.h"

namespace lanelab::test {

/// As training.seed `seed` draws it.
inline InitialNetwork initialOf(const ModelSpec& model, std::uint64_t seed = 0) {
  const auto graph = builtNetwork(model.arch, model.classes, model.input);
  if (!graph.ok()) throw std::runtime_error(graph.error().message);
  Result<InitialNetwork> network = initialNetwork(*graph, {}, seed);
  if (!network.ok()) throw std::runtime_error(network.error().message);
  return std::move(*network);
}

/// With empty slots.
inline std::unique_ptr<StageModule> wholeOf(const ModelSpec& model) {
  return wholeModule(initialOf(model).modules, model.blocks.size());
}

/// With these weights on the host.
inline std::unique_ptr<StageModule> wholeOf(const ModelSpec& model, const TensorMap& weights, at::MemoryFormat format) {
  std::unique_ptr<StageModule> module = wholeOf(model);
  installWeights(module->slots(), weights, at::kCPU, format);
  return module;
}

}  // namespace lanelab::test
