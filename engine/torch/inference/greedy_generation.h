// SPDX-License-Identifier: GPL-3.0-only
// Greedy generation: at each step the most likely token, as transformers' generate(do_sample=False).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/torch/inference/llama_network.h"

namespace lanelab {

struct Generated {
  at::Tensor logits;  ///< of the given tokens, float32 [B, T, vocabulary]
  at::Tensor tokens;  ///< int64 [B, T + n], n at most `most`
};

/// Runs the network over `ids` (int64 [B, T]) and then once for each further token; ends early when all rows have come
/// to an end token. A row that has is filled with the pad token.
Generated generateGreedily(LlamaNetwork& network, const LlamaConfig& config, const at::Tensor& ids, std::int64_t most);

}  // namespace lanelab
