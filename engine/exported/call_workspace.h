// SPDX-License-Identifier: GPL-3.0-only
// What a call of an exported graph takes for a moment besides its results, and what its backward makes, by rules for
// the operators of ATen on CPU lanes. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exported/exported_graph.h"
#include "engine/exported/sample_sizes.h"
#include "engine/exported/tensor_memory.h"

namespace lanelab {

struct PassingBytes {
  std::int64_t sample = 0;  ///< grows with the samples
  std::int64_t fixed = 0;   ///< copies of weights
};

/// Beside results and what is saved.
PassingBytes forwardPassing(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes);
/// Beside gradients of what the call reads.
PassingBytes backwardPassing(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes,
                             const TensorMemory& memory);

/// Whether the gradient of what the call reads is that of its result, or a view of it.
bool passesGradient(const ExportedGraph& graph, const ExportedNode& node, ValueId read, const SampleSizes& sizes,
                    const TensorMemory& memory);

}  // namespace lanelab
