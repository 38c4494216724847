// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/greedy_generation.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace lanelab {

Generated generateGreedily(LlamaNetwork& network, const LlamaConfig& config, const at::Tensor& ids, std::int64_t most) {
  const at::NoGradGuard no_grad;
  KeyValueCache cache(config, ids.size(0), ids.size(1) + std::max<std::int64_t>(most - 1, 0));
  Generated result{network.forward(ids, cache), ids};
  const std::int64_t pad = config.pad_token.value_or(config.end_tokens.empty() ? 0 : config.end_tokens.front());
  at::Tensor ended = at::zeros({ids.size(0), 1}, at::TensorOptions().dtype(at::kBool));
  at::Tensor logits = result.logits;
  for (std::int64_t step = 0; step < most; ++step) {
    at::Tensor next = logits.select(1, logits.size(1) - 1).argmax(1, /*keepdim=*/true);
    next.masked_fill_(ended, pad);
    result.tokens = at::cat({result.tokens, next}, 1);
    for (const std::int64_t end : config.end_tokens) ended = ended.logical_or(next == end);
    if (step + 1 == most || ended.all().item<bool>()) break;
    logits = network.forward(next, cache);
  }
  return result;
}

}  // namespace lanelab
