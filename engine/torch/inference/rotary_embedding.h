// SPDX-License-Identifier: GPL-3.0-only
// Rotary position embedding: pairs of a head's values turned by an angle that grows with the position.
//
// As transformers computes it, in fp32 (modeling_llama.py, modeling_rope_utils.py): a head's first half pairs with its
// second half.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/model/llama.h"

namespace lanelab {

/// Angle a position for each pair: float32 [head_size / 2].
at::Tensor rotaryFrequencies(const RopeScaling& rope, std::int64_t head_size);

/// Cosines and sines of positions [from, from + count), each [count, head_size], in `type`.
struct Rotation {
  at::Tensor cosine, sine;
};
Rotation rotationAt(const at::Tensor& frequencies, std::int64_t from, std::int64_t count, at::ScalarType type);

/// `heads` is [batch, heads, count, head_size].
at::Tensor rotated(const at::Tensor& heads, const Rotation& rotation);

}  // namespace lanelab
