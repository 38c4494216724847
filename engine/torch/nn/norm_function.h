// SPDX-License-Identifier: GPL-3.0-only
// Batch norms as autograd functions: the fused one of engine/torch/kernels, and those whose output is made again.
//
// What it stores for the backward, PyTorch's operators store too: the norm's input, and with a residual sum the ReLU's
// output. Gradients of weight and bias come with the input's, also in the input part of a split backward.
#pragma once

#include "engine/torch/kernels/fused_norm.h"
#include "engine/torch/nn/activation.h"

namespace lanelab {

/// norm(x) by the statistics of `x`, for which fitsFusedNorm() holds; and with what follows it.
at::Tensor normOf(const at::Tensor& x, const NormTensors& norm);
at::Tensor normRelu(const at::Tensor& x, const NormTensors& norm);
/// relu(norm(x)), which is made again in the backward: by the fused kernels, and by PyTorch's operators with their
/// bits.
Activation remadeNormRelu(const at::Tensor& x, const NormTensors& norm);
Activation remadeAtenNormRelu(const at::Tensor& x, const NormTensors& norm);
/// relu(norm(x) + beside).
at::Tensor normSumRelu(const at::Tensor& x, const at::Tensor& beside, const NormTensors& norm);

}  // namespace lanelab
