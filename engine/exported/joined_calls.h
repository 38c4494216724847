// SPDX-License-Identifier: GPL-3.0-only
// Calls of a graph that one call does together, and where: what transformers write out call by call, and parts of a
// tensor that are taken one by one. Norms of images are norm_chains.h.
//
// Found from the last call backwards, as ONNX Runtime's fusions (onnxruntime/core/optimizer/*_fusion.cc). All calls are
// in one block, nobody else reads what is made between them, and nothing overwrites what they read meanwhile. Pure
// function, linear in the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/exported/exported_blocks.h"
#include "engine/model/rules.h"

namespace lanelab {

/// What `reads` has in order: FusedRmsNorm input and weight; GatedProduct what SiLU reads and the other factor;
/// RotaryEmbedding input, cosines and sines; TanhGelu and JoinedParts the input.
struct JoinedCalls {
  Rule rule = Rule::FusedRmsNorm;
  std::vector<std::size_t> nodes;  ///< places in ExportedGraph::nodes, ascending
  std::vector<ValueId> reads, makes;
  double epsilon = 0;                 ///< FusedRmsNorm
  std::size_t dimension = 0;          ///< JoinedParts: that is cut
  std::vector<std::int64_t> sizes{};  ///< JoinedParts of slices; empty for single rows, which lose the dimension

  /// Where all of it is done: parts before the first is read, else behind the last.
  std::size_t place() const { return rule == Rule::JoinedParts ? nodes.front() : nodes.back(); }
  bool operator==(const JoinedCalls&) const = default;
};

/// By place(); a call is in one at most.
std::vector<JoinedCalls> joinedCallsOf(const ExportedGraph& graph, const ExportedBlocks& blocks);

}  // namespace lanelab
