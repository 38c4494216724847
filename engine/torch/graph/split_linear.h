// SPDX-License-Identifier: GPL-3.0-only
// Products with a parameter whose backward can be split (Rule::SplitBackward): the gradient of the input now, those of
// weight and bias later (engine/torch/nn/deferred_weights.h).
//
// What they compute, whole or split, is what PyTorch's autograd computes (torch/csrc/autograd/FunctionsManual.cpp), by
// the same calls.
#pragma once

#include <optional>

#include "engine/exported/operators/weighted_calls.h"
#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// x [..., in], weight [out, in], under autograd.
at::Tensor linearInParts(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias);

/// Of linear and addmm.
GraphOperation splitLinear(const WeightedCall& call);

}  // namespace lanelab
