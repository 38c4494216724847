// SPDX-License-Identifier: GPL-3.0-only
// at::linear() with the same bits in every pass.
//
// With rows that are not in order, at::matmul() (ATen/native/LinearAlgebra.cpp, should_fold) makes one product of them
// only where the weight needs gradients, which a pass without a graph, or below autograd, does not see.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>

namespace lanelab {

/// x [..., in], weight [out, in].
at::Tensor foldedLinear(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias);

}  // namespace lanelab
