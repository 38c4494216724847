// SPDX-License-Identifier: GPL-3.0-only
// A built-in network as one module with its initial weights, for tests that compute without lanes.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "engine/torch/data/training_inputs.h"

namespace lanelab::test {

/// As training.seed `seed` draws it.
inline InitialNetwork initialOf(const ModelSpec& model, std::uint64_t seed = 0) {
  Result<InitialNetwork> network = initialNetwork(model, nullptr, {}, seed);
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
