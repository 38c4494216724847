// SPDX-License-Identifier: GPL-3.0-only
// What autograd functions of our own share: calls below autograd, and gradients of parameters now or later.
#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <functional>
#include <utility>

namespace lanelab {

/// As autograd itself calls an operator: below its own dispatch, but with gradients on, since some kernels choose their
/// way by whether a weight needs them.
template <class Call>
at::Tensor belowAutograd(const Call& call) {
  const at::AutoGradMode as_in_training(true);
  const at::AutoDispatchBelowADInplaceOrView below;
  return call();
}

/// Gradients of weight and bias; each undefined where it is not wanted.
using WeightGradients = std::pair<at::Tensor, at::Tensor>;

/// Of which gradients are asked: a frozen weight may have a bias that is trained, and the other way round.
struct WantedGradients {
  bool weight = false, bias = false;
  bool any() const { return weight || bias; }
};

/// Of a function whose arguments 1 and 2 are weight and bias.
WantedGradients wantedBy(torch::autograd::AutogradContext& context, const at::Tensor& bias);

/// Now, or in the weight part: then back come none.
WeightGradients nowOrLater(const at::Tensor& weight, const at::Tensor& bias, std::function<WeightGradients()> compute);

}  // namespace lanelab
