// SPDX-License-Identifier: GPL-3.0-only
// Convolution and linear layer as autograd functions whose backward can be split: input gradient now, weight gradient
// later.
//
// Values are those of at::conv2d and at::linear, bit for bit, except where a convolution is done as products. Split or
// whole, the gradients are equal bit for bit, because the parts are the same calls.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/torch/nn/activation.h"
#include "engine/torch/nn/product_conv.h"

namespace lanelab {

/// Conv2d without bias, padding k/2: the chosen parts as products, the others as at::conv2d does them.
at::Tensor convolution(const Activation& x, const at::Tensor& weight, std::int64_t stride, const ProductChoice& choice);

/// x [N, in], weight [out, in], bias [out].
at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

}  // namespace lanelab
