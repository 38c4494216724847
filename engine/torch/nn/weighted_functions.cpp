// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/weighted_functions.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/linear.h>
#include <torch/csrc/autograd/custom_function.h>

#include <tuple>

#include "engine/torch/nn/deferred_weights.h"

namespace lanelab {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// As autograd itself calls it: below its own dispatch, but with gradients on, so that a pass without a graph gives the
/// same bits as one with.
at::Tensor usualForward(const at::Tensor& x, const at::Tensor& weight, std::int64_t stride) {
  const at::AutoGradMode as_in_training(true);
  const at::AutoDispatchBelowADInplaceOrView below_autograd;
  const std::int64_t pad = weight.size(2) / 2;
  return at::convolution(x, weight, {}, {stride, stride}, {pad, pad}, {1, 1}, /*transposed=*/false, {0, 0},
                         /*groups=*/1);
}

/// The gradients of input and weight that are asked for.
std::tuple<at::Tensor, at::Tensor> usualBackward(const at::Tensor& gradient, const at::Tensor& x,
                                                 const at::Tensor& weight, std::int64_t stride, bool of_input,
                                                 bool of_weight) {
  const std::int64_t pad = weight.size(2) / 2;
  auto [dx, dw, none] = at::convolution_backward(gradient, x, weight, at::OptionalIntArrayRef(), {stride, stride},
                                                 {pad, pad}, {1, 1}, false, {0, 0}, 1, {of_input, of_weight, false});
  return {std::move(dx), std::move(dw)};
}

/// What a backward pass finds of a convolution.
struct Convolved {
  at::Tensor x, weight, gradient;
  std::int64_t stride = 1;
  ProductChoice products;

  /// Of the input and of the weight, where wanted; the weight's is undefined where it was added to weight.grad already.
  std::tuple<at::Tensor, at::Tensor> gradients(bool of_input, bool of_weight) const {
    at::Tensor dx, dw;
    const bool usual_input = of_input && !products.input_gradient,
               usual_weight = of_weight && !products.weight_gradient;
    if (usual_input || usual_weight)
      std::tie(dx, dw) = usualBackward(gradient, x, weight, stride, usual_input, usual_weight);
    if (of_input && products.input_gradient) dx = inputProduct(gradient, x, weight, stride);
    if (of_weight && products.weight_gradient &&
        !(weight.is_leaf() && addWeightProduct(weight.mutable_grad(), gradient, x, weight, stride))) {
      dw = weightProduct(gradient, x, weight, stride);
    }
    return {std::move(dx), std::move(dw)};
  }

  void accumulateWeight() const {
    const at::Tensor dw = std::get<1>(gradients(false, true));
    if (dw.defined()) accumulateGradient(weight, dw);
  }
};

class Convolution : public torch::autograd::Function<Convolution> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            std::int64_t stride, bool forward_product, bool input_product, bool weight_product,
                            const c10::intrusive_ptr<RemadeValue>& remade) {
    context->save_for_backward({remade ? at::Tensor() : x, weight});
    if (remade) remade->saveIn(*context);
    context->saved_data["stride"] = stride;
    context->saved_data["input"] = input_product;
    context->saved_data["weight"] = weight_product;
    return forward_product ? forwardProduct(x, weight, stride) : usualForward(x, weight, stride);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    variable_list saved = context->get_saved_variables();
    auto& data = context->saved_data;
    const auto remade = RemadeValue::savedIn(*context);
    Convolved convolved{remade ? remade->read() : std::move(saved[0]),
                        std::move(saved[1]),
                        std::move(gradients[0]),
                        data["stride"].toInt(),
                        {false, data["input"].toBool(), data["weight"].toBool()}};
    DeferredWeights* const deferred = context->needs_input_grad(1) ? DeferredWeights::current() : nullptr;
    auto [dx, dw] = convolved.gradients(context->needs_input_grad(0), context->needs_input_grad(1) && !deferred);
    if (deferred) deferred->add([convolved = std::move(convolved)] { convolved.accumulateWeight(); });
    return {dx, dw, {}, {}, {}, {}, {}};
  }
};

class Linear : public torch::autograd::Function<Linear> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& bias) {
    context->save_for_backward({x, weight, bias});
    return at::linear(x, weight, bias);
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2], &gradient = gradients[0];
    const at::Tensor dx = context->needs_input_grad(0) ? gradient.mm(weight) : at::Tensor();
    if (!context->needs_input_grad(1)) return {dx, {}, {}};
    if (DeferredWeights* const deferred = DeferredWeights::current()) {
      deferred->add([x, weight, bias, gradient] {
        accumulateGradient(weight, gradient.t().mm(x));
        accumulateGradient(bias, gradient.sum(0));
      });
      return {dx, {}, {}};
    }
    return {dx, gradient.t().mm(x), gradient.sum(0)};
  }
};

}  // namespace

at::Tensor convolution(const Activation& x, const at::Tensor& weight, std::int64_t stride,
                       const ProductChoice& choice) {
  return Convolution::apply(x.value, weight, stride, choice.forward, choice.input_gradient, choice.weight_gradient,
                            x.remade);
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
  return Linear::apply(x, weight, bias);
}

}  // namespace lanelab
