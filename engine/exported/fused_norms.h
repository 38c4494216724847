// SPDX-License-Identifier: GPL-3.0-only
// The rule "norm + ReLU (+ sum)": batch norms of a graph that one pass over memory does together with what follows them
// (engine/torch/kernels/fused_norm.h). Finds where it applies; lanes and the memory forecast follow it alike.
//
// What it looks for: a batch norm in training with weight and bias over images, whose result only a ReLU reads, or only
// a sum of two equal tensors that only a ReLU reads, all within one block. A users' graph may write the ReLU and the
// sum in place or not. Pure function, linear in the graph.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/exported/exported_blocks.h"

namespace lanelab {

/// Places in ExportedGraph::nodes.
struct FusedNorm {
  std::size_t norm = 0;
  std::optional<std::size_t> sum;
  std::optional<ValueId> beside;  ///< of the sum: the other addend
  std::size_t relu = 0;           ///< where all of it is done
  bool operator==(const FusedNorm&) const = default;
};

/// Whether the call is a batch norm in training that the kernels take by itself.
bool isImageNorm(const ExportedGraph& graph, const ExportedNode& node);

bool hasImageNorms(const ExportedGraph& graph);

/// By place of the ReLU.
std::vector<FusedNorm> fusedNormsOf(const ExportedGraph& graph, const ExportedBlocks& blocks);

}  // namespace lanelab
