// 1x1 convolutions as matrix products.
//
// oneDNN's 1x1 kernels spend most of their time on reordering weights when a micro-batch has few pixels: ResNet's layer4 on 2x2 maps, 8 images,
// one thread, is three times slower there than one matrix product. Values agree with at::conv2d to rounding.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace lanelab {

/// True when a product is the faster way for this input and kernel: a 1x1 kernel, channels_last on a CPU, few pixels in all.
bool prefersMatrixProduct(const at::Tensor& x, std::int64_t kernel);

/// x [N,C,H,W] channels_last, weight [K,C,1,1] -> [N,K,ceil(H/stride),ceil(W/stride)] channels_last.
at::Tensor pointwiseConv(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride);

}  // namespace lanelab
