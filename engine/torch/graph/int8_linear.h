// SPDX-License-Identifier: GPL-3.0-only
// Linear layers with weights of 8 bits: a quarter of the memory of fp32, for an error that is reported.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace lanelab {

/// Stands for rows * scale, row by row.
struct Int8Weight {
  at::Tensor rows;   ///< int8 [out, in]
  at::Tensor scale;  ///< [out]
};

/// Symmetric, by output row: scale = max|w| / 127, rounded to the nearest (ties to even); a row of zeros has scale 1.
/// The scale has the weight's type, in which the product is computed.
Int8Weight quantised(const at::Tensor& weight);

/// x W^T + b. x is [..., in], of the scale's type.
at::Tensor int8Linear(const at::Tensor& x, const Int8Weight& weight, const std::optional<at::Tensor>& bias);

}  // namespace lanelab
