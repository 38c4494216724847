// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/llama_network.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/where.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace lanelab {

namespace {

/// What goes past a part of a layer follows it to its device.
at::Tensor sumWhereTheSecondIs(const at::Tensor& passed, const at::Tensor& computed) {
  return passed.to(computed.device()) + computed;
}

/// Long waves are stretched by the factor, short ones stay, between them it goes smoothly (_compute_llama3_parameters).
at::Tensor stretchedForLlama3(const at::Tensor& frequencies, const RopeScaling& rope) {
  const auto context = static_cast<double>(rope.original_context);
  const double longest_kept = context / rope.high_frequency_factor,
               shortest_stretched = context / rope.low_frequency_factor;
  const at::Tensor wave = frequencies.reciprocal().mul_(2 * std::numbers::pi);
  const at::Tensor stretched = at::where(wave > shortest_stretched, frequencies / rope.factor, frequencies);
  const at::Tensor smooth = (wave.reciprocal() * context - rope.low_frequency_factor) /
                            (rope.high_frequency_factor - rope.low_frequency_factor);
  const at::Tensor between = (1 - smooth) * stretched / rope.factor + smooth * stretched;
  return at::where((wave >= longest_kept).logical_and(wave <= shortest_stretched), between, stretched);
}

/// Rotary position embedding, as transformers computes it, in fp32 (modeling_llama.py, modeling_rope_utils.py): pairs
/// of a head's values, of its first and its second half, turned by an angle that grows with the position. Angle a
/// position for each pair: float32 [head_size / 2].
at::Tensor rotaryFrequencies(const RopeScaling& rope, std::int64_t head_size) {
  const at::Tensor exponents =
      at::arange(0, head_size, 2, at::TensorOptions().dtype(at::kFloat)).div_(static_cast<double>(head_size));
  const at::Tensor frequencies = at::pow(rope.theta, exponents).reciprocal_();
  switch (rope.kind) {
    case RopeScaling::Kind::Default: break;
    case RopeScaling::Kind::Linear: return frequencies / rope.factor;
    case RopeScaling::Kind::Llama3: return stretchedForLlama3(frequencies, rope);
  }
  return frequencies;
}

/// Of positions [from, from + count).
Rotation rotationAt(const at::Tensor& frequencies, std::int64_t from, std::int64_t count, at::ScalarType type) {
  const at::Tensor positions = at::arange(from, from + count, frequencies.options());
  const at::Tensor half = positions.unsqueeze(1) * frequencies;
  const at::Tensor angles = at::cat({half, half}, 1);
  return {angles.cos().to(type), angles.sin().to(type)};
}

/// `heads` is [batch, heads, count, head_size].
at::Tensor rotated(const at::Tensor& heads, const Rotation& rotation) {
  const std::int64_t half = heads.size(3) / 2;
  const at::Tensor turned = at::cat({heads.narrow(3, half, half).neg(), heads.narrow(3, 0, half)}, 3);
  return heads * rotation.cosine + turned * rotation.sine;
}

}  // namespace

KeyValueCache::KeyValueCache(const LlamaConfig& config, std::int64_t batch, std::int64_t length)
    : m_shape{batch, config.key_value_heads, length, config.head_size},
      m_layers(static_cast<std::size_t>(config.layers)) {}

KeyValueCache::Pair KeyValueCache::add(std::int64_t layer, const Pair& newest) {
  Pair& all = m_layers[static_cast<std::size_t>(layer)];
  const std::int64_t count = newest.keys.size(2);
  if (!all.keys.defined())
    all = {at::empty(m_shape, newest.keys.options()), at::empty(m_shape, newest.values.options())};
  all.keys.narrow(2, m_tokens, count).copy_(newest.keys);
  all.values.narrow(2, m_tokens, count).copy_(newest.values);
  return {all.keys.narrow(2, 0, m_tokens + count), all.values.narrow(2, 0, m_tokens + count)};
}

LlamaNetwork::LlamaNetwork(const LlamaConfig& config, LlamaWeights& weights, std::stop_token stop)
    : m_config(config),
      m_weights(weights),
      m_stop(std::move(stop)),
      m_frequencies(rotaryFrequencies(config.rope, config.head_size)) {}

at::Tensor LlamaNetwork::forward(const at::Tensor& ids, KeyValueCache& cache) {
  const at::NoGradGuard no_grad;
  const std::int64_t count = ids.size(1);
  Rotation rotation = rotationAt(m_frequencies, cache.tokens(), count, scalarType(m_config.type));
  at::Tensor x = m_weights.embed(ids);
  for (std::int64_t layer = 0; layer < m_config.layers; ++layer) {
    if (m_stop.stop_requested()) throw PassCancelled();
    x = sumWhereTheSecondIs(x, attention(normalised(x), layer, rotation, cache));
    x = sumWhereTheSecondIs(x, feedForward(normalised(x)));
  }
  cache.advance(count);
  return linear(normalised(x)).to(at::kCPU, at::kFloat);
}

at::Tensor LlamaNetwork::attention(const at::Tensor& x, std::int64_t layer, Rotation& rotation, KeyValueCache& cache) {
  const auto heads = [&](const at::Tensor& projected) {
    return projected.view({x.size(0), x.size(1), -1, m_config.head_size}).transpose(1, 2);
  };
  const at::Tensor projected = linear(x);
  const at::Device here = projected.device();
  rotation = {rotation.cosine.to(here), rotation.sine.to(here)};
  const at::Tensor queries = rotated(heads(projected), rotation);
  const at::Tensor keys = rotated(heads(linear(x).to(here)), rotation);
  const KeyValueCache::Pair all = cache.add(layer, {keys, heads(linear(x).to(here))});
  const double scale = std::pow(static_cast<double>(m_config.head_size), -0.5);
  const bool several = x.size(1) > 1;
  const at::Tensor mixed =
      at::scaled_dot_product_attention(queries, all.keys, all.values, {}, 0, /*is_causal=*/several, scale,
                                       /*enable_gqa=*/m_config.heads != m_config.key_value_heads);
  return linear(mixed.transpose(1, 2).reshape({x.size(0), x.size(1), -1}));
}

at::Tensor LlamaNetwork::feedForward(const at::Tensor& x) {
  at::Tensor gate = linear(x);
  at::silu_(gate);
  return linear(gate.mul_(linear(x).to(gate.device())));
}

at::Tensor LlamaNetwork::normalised(const at::Tensor& x) {
  const auto held = m_weights.next();
  const at::Tensor exact = x.to(held->weight.device(), at::kFloat);
  const at::Tensor variance = exact.square().mean(at::IntArrayRef{-1}, /*keepdim=*/true);
  return held->weight * (exact * at::rsqrt(variance.add_(m_config.norm_epsilon))).to(x.scalar_type());
}

at::Tensor LlamaNetwork::linear(const at::Tensor& x) {
  const auto held = m_weights.next();
  return linearOf(x.to(held->weight.device()), *held);
}

}  // namespace lanelab
