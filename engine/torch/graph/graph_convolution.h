// SPDX-License-Identifier: GPL-3.0-only
// A convolution with a parameter, by the rules that the stage follows: its parts as products
// (Rule::ConvolutionProduct), the gradient of its weight later (Rule::SplitBackward), its input made again
// (Rule::RemadeActivation).
//
// A part that no rule takes is what PyTorch's autograd computes (torch/csrc/autograd/FunctionsManual.cpp), by the same
// calls.
#pragma once

#include <memory>

#include "engine/exported/weighted_calls.h"
#include "engine/model/rules.h"
#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// How a call with a parameter is done.
struct WeightedOptions {
  Rules rules;         ///< that the stage follows, where they apply to this call
  bool alone = false;  ///< no other call of the stage reads its parameters
};

/// Whether PyTorch computes the weight's gradient wrong on a CPU, so that it has to be replaced whatever the rules are.
bool overrunsOneDnn(const WeightedCall& call, const ExportedGraph& graph);

std::unique_ptr<GraphOperation> graphConvolution(const WeightedCall& call, const WeightedOptions& options);

}  // namespace lanelab
