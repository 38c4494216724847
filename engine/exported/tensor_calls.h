// SPDX-License-Identifier: GPL-3.0-only
// The calls of an exported program as memory sees them. Pure functions, linear in the graph; rules for what operators
// take besides their results are those of PyTorch 2.11 on a CPU.
#pragma once

#include <cstdint>

#include "engine/exported/exported_blocks.h"
#include "engine/exported/graph_rules.h"
#include "engine/exported/operators/sample_sizes.h"
#include "engine/exported/tensor_memory.h"
#include "engine/model/tensor_program.h"

namespace lanelab {

TensorProgram tensorProgram(const ExportedProgram& program, const ExportedBlocks& blocks, const SampleSizes& sizes,
                            const TensorMemory& memory, const GraphRules& rules);

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
