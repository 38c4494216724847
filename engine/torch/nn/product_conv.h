// SPDX-License-Identifier: GPL-3.0-only
// Convolutions as matrix products, where that is faster than oneDNN on CPU lanes.
//
// With few pixels a micro-batch, oneDNN 3.10 spends most of a convolution on reordering weights and on kernels that
// vectorise over pixels: the weight gradient of ResNet's 512-channel 3x3 convolutions on 2x2 maps, 8 images, one
// thread, takes 15 ms where one product takes 1.6 ms; and PyTorch leaves oneDNN altogether for 1x1 kernels below 16
// images on one thread. So forward, input gradient and weight gradient are chosen each by shape. Values agree with
// at::conv2d to rounding; all strategies of a model choose alike, since they see the same micro-batches.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/model/conv_products.h"

namespace lanelab {

/// For x [N,C,H,W] and weight [K,C,k,k], padding k/2. Nothing unless x is fp32, on a CPU and channels_last.
ProductChoice chooseProducts(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride);

/// The three parts as products, without autograd.
at::Tensor forwardProduct(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride);
at::Tensor inputProduct(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight, std::int64_t stride);
at::Tensor weightProduct(const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                         std::int64_t stride);

/// Adds the weight gradient to what earlier micro-batches left in `sum`, within the product: written apart, it would be
/// read and added in a second pass over memory. False when `sum` is not laid out for it.
bool addWeightProduct(at::Tensor& sum, const at::Tensor& gradient, const at::Tensor& x, const at::Tensor& weight,
                      std::int64_t stride);

}  // namespace lanelab
