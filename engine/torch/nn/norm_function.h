// SPDX-License-Identifier: GPL-3.0-only
// Batch norms as autograd functions: the fused one of engine/torch/kernels, and those whose output is made again.
//
// What it stores for the backward, PyTorch's operators store too: the norm's input, and with a residual sum what the
// activation made. Gradients of weight and bias come with the input's, also in the input part of a split backward.
#pragma once

#include <optional>

#include "engine/torch/kernels/fused_norm.h"
#include "engine/torch/nn/activation.h"

namespace lanelab {

/// activation(norm(x) + beside) by the statistics of `x`, for which fitsFusedNorm() holds; with a second addend where
/// isKnownByItsOutput(activation).
at::Tensor fusedNormOf(const at::Tensor& x, const NormTensors& norm, NormActivation activation,
                       const std::optional<at::Tensor>& beside = {});
/// The same without a second addend, which is made again in the backward.
Activation remadeNormOf(const at::Tensor& x, const NormTensors& norm, NormActivation activation);
/// relu(norm(x)) by PyTorch's operators and with their bits, which is made again in the backward.
Activation remadeAtenNormRelu(const at::Tensor& x, const NormTensors& norm);
}  // namespace lanelab
