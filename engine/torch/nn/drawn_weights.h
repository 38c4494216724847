// SPDX-License-Identifier: GPL-3.0-only
// Initial weights of an exported network that has a recipe for them instead of their bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/torch/nn/initial_weights.h"

namespace lanelab {

/// Flat tensors by their records: what torch.manual_seed(seed) followed by the network's constructor gives, bit for
/// bit, in the PyTorch that LaneLab is built against. May be cancelled (stop_point.h); throws what PyTorch throws, such
/// as that memory is short.
TensorMap drawWeights(const std::vector<WeightDraw>& draws, std::uint64_t seed);

}  // namespace lanelab
