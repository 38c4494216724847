// SPDX-License-Identifier: GPL-3.0-only
// A convolution with a parameter, by the rules that the stage follows: its parts as products
// (Rule::ConvolutionProduct), the gradient of its weight later (Rule::SplitBackward), its input made again
// (Rule::RemadeActivation).
//
// A part that no rule takes is what PyTorch's autograd computes (torch/csrc/autograd/FunctionsManual.cpp), by the same
// calls.
#pragma once

#include <optional>

#include "engine/exported/operators/weighted_calls.h"
#include "engine/model/rules.h"
#include "engine/torch/graph/graph_operation.h"
#include "engine/torch/nn/activation.h"

namespace lanelab {

/// How the parts of one convolution are done.
struct ConvolutionWay : torch::CustomClassHolder {
  explicit ConvolutionWay(const ConvolutionWindows& its_windows) : windows(its_windows) {}

  ConvolutionWindows windows;
  bool defers = false;       ///< the weight's gradient, if the backward is split
  bool adds_within = false;  ///< a product adds the weight's gradient to what is there
  ProductChoice products;

  std::int64_t stride() const { return windows.stride[0]; }
};

/// Under autograd; where `x` is made again, the backward does not store it.
at::Tensor convolved(const Activation& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                     const c10::intrusive_ptr<ConvolutionWay>& way);

/// Whether PyTorch computes the weight's gradient wrong on a CPU, so that it has to be replaced whatever the rules are.
bool overrunsOneDnn(const WeightedCall& call, const ExportedGraph& graph);

/// `rules`: that the stage follows, where they apply to this call; `alone`: no other call of the stage reads its
/// parameters.
GraphOperation graphConvolution(const WeightedCall& call, Rules rules, bool alone);

}  // namespace lanelab
