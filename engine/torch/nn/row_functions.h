// SPDX-License-Identifier: GPL-3.0-only
// What transformers do row by row, as autograd functions that go over memory once each way (engine/torch/kernels), for
// CPU lanes in fp32. Call by call, PyTorch goes over it three to ten times as often. The same bits come out for any
// number of threads and with any CPU's instructions.
#pragma once

#include <ATen/core/Tensor.h>

namespace lanelab {

/// x / sqrt(mean(x^2) + epsilon) * weight, over the last dimension. Saves x and a number a row.
at::Tensor rmsNormOf(const at::Tensor& x, const at::Tensor& weight, double epsilon);
/// silu(gate) * factor, of equal sizes. Saves both.
at::Tensor gatedProduct(const at::Tensor& gate, const at::Tensor& factor);
/// x cos + rotated(x) sin of x [a, b, c, width], where rotated puts the negative second half before the first; tables
/// broadcast to it and have no gradient. Saves the tables.
at::Tensor rotaryEmbedding(const at::Tensor& x, const at::Tensor& cosines, const at::Tensor& sines);

}  // namespace lanelab
