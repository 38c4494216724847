// SPDX-License-Identifier: GPL-3.0-only
// Rule::FusedNorm: batch norms of a graph that one pass over memory does together with what follows them
// (engine/torch/kernels/fused_norm.h), and where.
//
// A norm in training with weight and bias over images. Its chain continues with a sum of two equal tensors, and an
// activation, as long as the next call alone reads what is made and is in the same block. A user's graph may write
// both in place or not. Pure function, linear in the graph.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/exported/exported_blocks.h"
#include "engine/model/norm_activation.h"

namespace lanelab {

/// Places in ExportedGraph::nodes.
struct NormChain {
  std::size_t norm = 0;
  std::optional<std::size_t> sum = {};
  std::optional<ValueId> beside = {};  ///< of the sum: the other addend
  std::optional<std::size_t> activation = {};
  NormActivation kind = NormActivation::None;

  /// Where all of it is done.
  std::size_t last() const { return activation.value_or(sum.value_or(norm)); }
  std::vector<std::size_t> nodes() const {
    std::vector<std::size_t> in_order = {norm};
    if (sum) in_order.push_back(*sum);
    if (activation) in_order.push_back(*activation);
    return in_order;
  }
  bool operator==(const NormChain&) const = default;
};

/// One for each norm of images, by its last().
std::vector<NormChain> normChainsOf(const ExportedGraph& graph, const ExportedBlocks& blocks);

}  // namespace lanelab
