// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/rotary_embedding.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/where.h>

#include <numbers>

namespace lanelab {
namespace {

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

}  // namespace

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

Rotation rotationAt(const at::Tensor& frequencies, std::int64_t from, std::int64_t count, at::ScalarType type) {
  const at::Tensor positions = at::arange(from, from + count, frequencies.options());
  const at::Tensor half = positions.unsqueeze(1) * frequencies;
  const at::Tensor angles = at::cat({half, half}, 1);
  return {angles.cos().to(type), angles.sin().to(type)};
}

at::Tensor rotated(const at::Tensor& heads, const Rotation& rotation) {
  const std::int64_t half = heads.size(3) / 2;
  const at::Tensor turned = at::cat({heads.narrow(3, half, half).neg(), heads.narrow(3, 0, half)}, 3);
  return heads * rotation.cosine + turned * rotation.sine;
}

}  // namespace lanelab
