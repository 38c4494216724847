// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/norm_function.h"

#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/native_batch_norm_backward.h>
#include <ATen/ops/threshold_backward.h>
#include <torch/csrc/autograd/custom_function.h>

#include <optional>
#include <utility>

#include "base/stop_point.h"

namespace lanelab {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class FusedNorm : public torch::autograd::Function<FusedNorm> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& /*weight*/,
                            const at::Tensor& /*bias*/, const std::optional<at::Tensor>& beside,
                            const NormTensors& norm, NormActivation activation, at::Tensor* line) {
    stopPoint();
    NormForward made = fusedNorm(x, beside.value_or(at::Tensor()), norm, activation);
    if (line) *line = made.line;
    const GradientMask mask = gradientMask(activation, beside.has_value());
    context->saved_data["mask"] = static_cast<std::int64_t>(mask);
    context->saved_data["beside"] = beside.has_value();
    variable_list saved{x, made.line};
    if (readsOutput(mask)) saved.push_back(made.output);
    context->save_for_backward(std::move(saved));
    return made.output;
  }

  static variable_list backward(AutogradContext* context, variable_list& gradients) {
    stopPoint();  // in place it allocates nothing, which is where training is stopped otherwise
    const variable_list saved = context->get_saved_variables();
    const auto mask = static_cast<GradientMask>(context->saved_data["mask"].toInt());
    const at::Tensor output = saved.size() > 2 ? saved[2] : at::Tensor();
    NormGradients made = fusedNormBackward(std::move(gradients[0]), saved[0], output, saved[1], mask,
                                           context->saved_data["beside"].toBool());
    return {made.input, made.weight, made.bias, made.beside, {}, {}, {}};
  }
};

at::Tensor atenNormRelu(const at::Tensor& x, const NormTensors& norm, at::Tensor* mean, at::Tensor* inverse) {
  auto [y, batch_mean, batch_inverse] = at::native_batch_norm(x, norm.weight, norm.bias, norm.running_mean,
                                                              norm.running_var, true, norm.momentum, norm.epsilon);
  if (mean) *mean = std::move(batch_mean);
  if (inverse) *inverse = std::move(batch_inverse);
  return y.relu_();
}

/// The operators that at::batch_norm and at::relu_ come to, forward and backward.
class AtenNormRelu : public torch::autograd::Function<AtenNormRelu> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& /*bias*/, const NormTensors& norm,
                            const c10::intrusive_ptr<RemadeValue>& remade) {
    at::Tensor mean, inverse;
    at::Tensor y = atenNormRelu(x, norm, &mean, &inverse);
    context->save_for_backward({x, weight, mean, inverse});
    context->saved_data["epsilon"] = norm.epsilon;
    remade->saveIn(*context);  // for the ReLU's mask
    return y;
  }

  /// `gradients` by reference: what masks a gradient lets go of it.
  static variable_list backward(AutogradContext* context, variable_list& gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor masked =
        at::threshold_backward(std::exchange(gradients[0], {}), RemadeValue::savedIn(*context)->read(), 0);
    auto [dx, dweight, dbias] =
        at::native_batch_norm_backward(masked, saved[0], saved[1], {}, {}, saved[2], saved[3], true,
                                       context->saved_data["epsilon"].toDouble(), {true, true, true});
    return {dx, dweight, dbias, {}, {}};
  }
};

}  // namespace

at::Tensor fusedNormOf(const at::Tensor& x, const NormTensors& norm, NormActivation activation,
                       const std::optional<at::Tensor>& beside) {
  return FusedNorm::apply(x, norm.weight, norm.bias, beside, norm, activation, nullptr);
}

Activation remadeNormOf(const at::Tensor& x, const NormTensors& norm, NormActivation activation) {
  at::Tensor line;
  at::Tensor y = FusedNorm::apply(x, norm.weight, norm.bias, std::optional<at::Tensor>(), norm, activation, &line);
  return {std::move(y), c10::make_intrusive<RemadeValue>(x, [line, activation](const at::Tensor& source) {
            return fusedNormAgain(source, line, activation);
          })};
}

Activation remadeAtenNormRelu(const at::Tensor& x, const NormTensors& norm) {
  const NormTensors still{norm.weight, norm.bias, {}, {}, norm.momentum, norm.epsilon};
  const auto remade = c10::make_intrusive<RemadeValue>(
      x, [still](const at::Tensor& source) { return atenNormRelu(source, still, nullptr, nullptr); });
  return {AtenNormRelu::apply(x, norm.weight, norm.bias, norm, remade), remade};
}

}  // namespace lanelab
