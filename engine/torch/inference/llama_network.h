// SPDX-License-Identifier: GPL-3.0-only
// Llama's forward pass, with a cache of keys and values; each module on the device where its weights are.
//
// Operations and their order are those of transformers (models/llama/modeling_llama.py, 5.23, attention by
// scaled_dot_product_attention), so that logits compare.
#pragma once

#include <ATen/core/Tensor.h>

#include <stdexcept>
#include <stop_token>
#include <vector>

#include "engine/model/llama.h"
#include "engine/torch/inference/llama_weights.h"

namespace lanelab {

/// Of some positions of the rotary embedding, each [count, head_size], in the type of the network.
struct Rotation {
  at::Tensor cosine, sine;
};

/// Keys and values of all layers for the tokens so far.
class KeyValueCache {
 public:
  /// Room for `length` tokens in each of `batch` rows.
  KeyValueCache(const LlamaConfig& config, std::int64_t batch, std::int64_t length);

  struct Pair {
    at::Tensor keys, values;  ///< [batch, key-value heads, tokens, head size]
  };
  /// Adds the pair of the newest tokens to a layer and gives that of all tokens.
  Pair add(std::int64_t layer, const Pair& newest);
  /// Tokens before the newest; moves on when all layers have added theirs.
  std::int64_t tokens() const { return m_tokens; }
  void advance(std::int64_t tokens) { m_tokens += tokens; }

 private:
  std::vector<std::int64_t> m_shape;
  std::vector<Pair> m_layers;  ///< each on the device of its layer, from its first pair on
  std::int64_t m_tokens = 0;
};

/// Thrown by a forward pass that was asked to stop.
class PassCancelled : public std::runtime_error {
 public:
  PassCancelled() : std::runtime_error("The inference was cancelled.") {}
};

class LlamaNetwork {
 public:
  /// `weights` must outlive it. `stop` is honoured between layers, by PassCancelled.
  LlamaNetwork(const LlamaConfig& config, LlamaWeights& weights, std::stop_token stop = {});

  /// `ids` is int64 [batch, tokens], what follows the cache: many tokens after an empty one, else one. Logits are
  /// float32 [batch, tokens, vocabulary].
  at::Tensor forward(const at::Tensor& ids, KeyValueCache& cache);

 private:
  /// `rotation` goes to the device of the layer.
  at::Tensor attention(const at::Tensor& x, std::int64_t layer, Rotation& rotation, KeyValueCache& cache);
  at::Tensor feedForward(const at::Tensor& x);
  at::Tensor normalised(const at::Tensor& x);
  at::Tensor linear(const at::Tensor& x);

  const LlamaConfig m_config;
  LlamaWeights& m_weights;
  const std::stop_token m_stop;
  at::Tensor m_frequencies;
};

}  // namespace lanelab
