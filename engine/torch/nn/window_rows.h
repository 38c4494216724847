// SPDX-License-Identifier: GPL-3.0-only
// A convolution's windows as the rows of a matrix, and the way back (im2col and col2im of images in channels_last
// order).
//
// One pass each over memory: a window's pixels are copied from where they lie, with no padded image between, and a
// pixel's gradient is summed from all windows that it lies in before it is written. Put together from
// at::constant_pad_nd, as_strided and nine strided sums it took two passes and a hundred operators.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/model/conv_products.h"

namespace lanelab {

/// All windows of x [N,C,H,W], fp32 on a CPU, as [pixels of the output, k*k*C]; what lies outside the image is 0.
/// Copies x first where it is not channels_last.
at::Tensor windowRows(const at::Tensor& x, const ConvGeometry& conv);

/// The gradients of such rows, contiguous, summed to that of x, channels_last. A pixel's are added in the order of the
/// window's rows and columns.
at::Tensor sumOfWindowRows(const at::Tensor& rows, const ConvGeometry& conv);

}  // namespace lanelab
