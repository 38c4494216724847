// SPDX-License-Identifier: GPL-3.0-only
// Which parts of a convolution the CPU lanes do as matrix products. The lanes choose by it
// (engine/torch/nn/product_conv.h says why), and so does the forecast of their memory, since a product of a 3x3 kernel
// first copies all windows of its input.
#pragma once

#include <cstdint>

#include "engine/model/cpu_instructions.h"

namespace lanelab {

inline constexpr std::int64_t kLargestProductKernel = 3;

/// A convolution of `n` images with padding kernel/2.
struct ConvGeometry {
  std::int64_t n = 1, in = 1, height = 1, width = 1;  ///< of the input
  std::int64_t out = 1, kernel = 1, stride = 1;

  std::int64_t pad() const { return kernel / 2; }
  std::int64_t outHeight() const { return (height + 2 * pad() - kernel) / stride + 1; }
  std::int64_t outWidth() const { return (width + 2 * pad() - kernel) / stride + 1; }
  std::int64_t pixels() const { return n * outHeight() * outWidth(); }
  bool operator==(const ConvGeometry&) const = default;
  bool plain() const { return kernel == 1 && stride == 1; }  ///< the input's pixels are the windows
};

struct ProductChoice {
  bool forward = false;
  bool input_gradient = false;
  bool weight_gradient = false;
  bool operator==(const ProductChoice&) const = default;
};

/// For fp32 in channels_last order, on a CPU with these instructions: oneDNN has other code for each set.
ProductChoice chooseProducts(const ConvGeometry& conv, Simd simd);

}  // namespace lanelab
