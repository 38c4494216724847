// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/norm_function.h"

#include <torch/csrc/autograd/custom_function.h>

#include <optional>
#include <utility>

#include "base/stop_point.h"

namespace lanelab {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Without a residual sum the mask follows from x, which is read anyway.
ReluMask maskOf(bool relu, bool sum) {
  if (!relu) return ReluMask::None;
  return sum ? ReluMask::Output : ReluMask::Recompute;
}

class FusedNorm : public torch::autograd::Function<FusedNorm> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& /*weight*/,
                            const at::Tensor& /*bias*/, const std::optional<at::Tensor>& beside,
                            const NormTensors& norm, bool relu) {
    stopPoint();
    NormForward made = fusedNorm(x, beside.value_or(at::Tensor()), norm, relu);
    const ReluMask mask = maskOf(relu, beside.has_value());
    context->saved_data["mask"] = static_cast<std::int64_t>(mask);
    variable_list saved{x, made.line};
    if (mask == ReluMask::Output) saved.push_back(made.output);
    context->save_for_backward(std::move(saved));
    return made.output;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    stopPoint();  // in place it allocates nothing, which is where training is stopped otherwise
    const variable_list saved = context->get_saved_variables();
    const auto mask = static_cast<ReluMask>(context->saved_data["mask"].toInt());
    const at::Tensor output = saved.size() > 2 ? saved[2] : at::Tensor();
    NormGradients made = fusedNormBackward(std::move(gradients[0]), saved[0], output, saved[1], mask);
    return {made.input, made.weight, made.bias, made.beside, {}, {}};
  }
};

}  // namespace

at::Tensor normOf(const at::Tensor& x, const NormTensors& norm) {
  return FusedNorm::apply(x, norm.weight, norm.bias, std::optional<at::Tensor>(), norm, /*relu=*/false);
}

at::Tensor normRelu(const at::Tensor& x, const NormTensors& norm) {
  return FusedNorm::apply(x, norm.weight, norm.bias, std::optional<at::Tensor>(), norm, /*relu=*/true);
}

at::Tensor normSumRelu(const at::Tensor& x, const at::Tensor& beside, const NormTensors& norm) {
  return FusedNorm::apply(x, norm.weight, norm.bias, std::optional(beside), norm, /*relu=*/true);
}

}  // namespace lanelab
