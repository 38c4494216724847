// SPDX-License-Identifier: GPL-3.0-only
// Rule::SelfAttention: torch.nn.MultiheadAttention(batch_first=True) of one tensor, without a mask, in a network
// without dropout. PyTorch turns its input so that tokens come first, which its linear layer copies, copies queries,
// keys and values apart, and turns the result back, and again in the backward (torch/nn/functional.py,
// multi_head_attention_forward). But the layers are row by row, and the attention takes any order: so nothing need be
// copied. Pure function, linear in the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/exported/exported_blocks.h"

namespace lanelab {

struct SelfAttention {
  std::size_t project = 0;  ///< the linear layer that reads `rows` and makes `packed`, in the order of memory
  ValueId rows, packed;     ///< tokens, samples, width; rows: turned from samples, tokens, width

  std::vector<std::size_t> calls;  ///< the attention with all that cuts, turns and copies, done at the last of them
  std::size_t attention = 0;       ///< scaled_dot_product_attention among them
  ValueId mixed;                   ///< what they make: samples x tokens, width

  std::vector<std::size_t> back;  ///< that turn `projected`, which the second linear layer makes, into `made`
  ValueId projected, made;        ///< made: samples, tokens, width

  std::int64_t tokens = 0, heads = 0;
  bool causal = false;
  std::optional<double> scale = {};

  /// The calls that are left out, and in whose place others are done.
  std::vector<std::size_t> nodes() const;
};

/// By `project`; a call is in one at most.
std::vector<SelfAttention> selfAttentionsOf(const ExportedGraph& graph, const ExportedBlocks& blocks);

}  // namespace lanelab
