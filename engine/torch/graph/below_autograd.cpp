// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/below_autograd.h"

#include "engine/torch/nn/deferred_weights.h"

namespace lanelab {

WantedGradients wantedBy(torch::autograd::AutogradContext& context, const at::Tensor& bias) {
  return {context.needs_input_grad(1), bias.defined() && context.needs_input_grad(2)};
}

WeightGradients nowOrLater(const at::Tensor& weight, const at::Tensor& bias, std::function<WeightGradients()> compute) {
  DeferredWeights* const deferred = DeferredWeights::current();
  if (!deferred) return compute();
  deferred->add([weight, bias, compute = std::move(compute)] {
    const auto [of_weight, of_bias] = compute();
    if (of_weight.defined()) accumulateGradient(weight, of_weight);
    if (of_bias.defined()) accumulateGradient(bias, of_bias);
  });
  return {};
}

}  // namespace lanelab
