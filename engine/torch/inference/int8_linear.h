// SPDX-License-Identifier: GPL-3.0-only
// Linear layers with weights of 8 bits: a quarter of the memory of fp32, for an error that is reported.
#pragma once

#include <ATen/core/Tensor.h>

namespace lanelab {

/// y = x W^T + b. With `scale` the weight is int8 and stands for weight * scale, row by row.
struct LinearWeights {
  at::Tensor weight;  ///< [out, in]
  at::Tensor bias;    ///< [out], or undefined
  at::Tensor scale;   ///< [out], or undefined: the weight is what it is
};

/// Symmetric, by output row: scale = max|w| / 127, rounded to the nearest (ties to even); a row of zeros has scale 1.
/// The scale has the weight's type, in which the product is computed.
LinearWeights quantised(const at::Tensor& weight, const at::Tensor& bias);

/// x is [..., in], of the weight's type or, with int8, of the scale's.
at::Tensor linearOf(const at::Tensor& x, const LinearWeights& layer);

}  // namespace lanelab
