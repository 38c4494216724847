// SPDX-License-Identifier: GPL-3.0-only
// The moments of a micro-batch's forward and backward at which a lane may hold most, followed call by call. Pure
// functions, linear in the graph.
//
// In a forward, values live until their last use, and what autograd saves stays. A backward runs the calls in reverse:
// a gradient lives from its maker to its user, what a call saved goes when its backward is done, and gradients of
// weights come. Rules for what operators take besides are those of PyTorch 2.11 on a CPU.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/exported/exported_blocks.h"
#include "engine/exported/sample_sizes.h"
#include "engine/exported/tensor_memory.h"
#include "engine/model/model_spec.h"

namespace lanelab {

struct BlockMoments {
  std::vector<MemoryMoment> forward, passing, backward;  ///< see BlockSpec
  std::vector<SkippingGradient> skipping;
};

/// Of each block. Of moments of which one is higher in everything, only this one is in the lists.
std::vector<BlockMoments> momentsOf(const ExportedProgram& program, const ExportedBlocks& blocks,
                                    const SampleSizes& sizes, const TensorMemory& memory);

/// What a call takes for a moment; its backward makes gradients besides.
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
