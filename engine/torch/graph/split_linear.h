// SPDX-License-Identifier: GPL-3.0-only
// Products with a parameter whose backward can be split (Rule::SplitBackward): the gradient of the input now, those of
// weight and bias later (engine/torch/nn/deferred_weights.h).
//
// What they compute, whole or split, is what PyTorch's autograd computes (torch/csrc/autograd/FunctionsManual.cpp), by
// the same calls.
#pragma once

#include <memory>

#include "engine/exported/weighted_calls.h"
#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// Of linear and addmm.
std::unique_ptr<GraphOperation> splitLinear(const WeightedCall& call);

}  // namespace lanelab
