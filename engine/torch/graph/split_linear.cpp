// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/split_linear.h"

#include <ATen/ops/addmm.h>

#include <optional>
#include <vector>

#include "engine/torch/graph/below_autograd.h"
#include "engine/torch/graph/folded_linear.h"

namespace lanelab {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

at::Tensor asRows(const at::Tensor& x) { return x.reshape({-1, x.size(-1)}); }

/// Of a bias that was added to all rows.
at::Tensor sumOfRows(const at::Tensor& gradient) {
  std::vector<std::int64_t> leading;
  for (std::int64_t dim = 0; dim + 1 < gradient.dim(); ++dim) leading.push_back(dim);
  return gradient.sum(leading);
}

/// linear(x, weight [out, in], bias), x of two or more dimensions.
class SplitLinear : public torch::autograd::Function<SplitLinear> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias) {
    context->save_for_backward({x, weight, bias.value_or(at::Tensor())});
    return belowAutograd([&] { return foldedLinear(x, weight, bias); });
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2], &gradient = gradients[0];
    at::Tensor dx;
    if (context->needs_input_grad(0)) dx = asRows(gradient).mm(weight).reshape(x.sizes());
    const WantedGradients wanted = wantedBy(*context, bias);
    if (!wanted.any()) return {dx, {}, {}};
    // With a bias, rows in order are one product.
    const bool flat = x.dim() == 2 || x.is_contiguous();
    auto [dw, db] = nowOrLater(weight, bias, [x, gradient, wanted, flat]() -> WeightGradients {
      const at::Tensor rows = asRows(gradient);
      return {wanted.weight ? rows.t().mm(asRows(x)) : at::Tensor(),
              wanted.bias ? (flat ? rows.sum(0) : sumOfRows(gradient)) : at::Tensor()};
    });
    return {dx, dw, db};
  }
};

/// addmm(bias, x [n, in], weight [in, out]).
class SplitAddmm : public torch::autograd::Function<SplitAddmm> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const at::Tensor& bias) {
    context->save_for_backward({x, weight, bias});
    return belowAutograd([&] { return at::addmm(bias, x, weight); });
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2], &gradient = gradients[0];
    at::Tensor dx;
    if (context->needs_input_grad(0)) dx = gradient.mm(weight.t());
    const WantedGradients wanted = wantedBy(*context, bias);
    if (!wanted.any()) return {dx, {}, {}};
    auto [dw, db] = nowOrLater(weight, bias, [x, gradient, wanted]() -> WeightGradients {
      return {wanted.weight ? x.t().mm(gradient) : at::Tensor(), wanted.bias ? gradient.sum(0) : at::Tensor()};
    });
    return {dx, dw, db};
  }
};

}  // namespace

at::Tensor linearInParts(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
  return SplitLinear::apply(x, weight, bias);
}

GraphOperation splitLinear(const WeightedCall& call) {
  return [call](GraphFrame& frame, const GraphPass& pass) {
    const at::AutoGradMode mode(pass.recorded && at::GradMode::is_enabled());
    const at::Tensor weight = frame[call.weight].toTensor();
    // In bf16 the graph's own casts may give another type than the weight has.
    const at::Tensor x = frame[call.input].toTensor().to(weight.scalar_type());
    const auto bias = call.bias ? std::optional(frame[*call.bias].toTensor()) : std::nullopt;
    frame[call.output] =
        call.kind == WeightedCall::Kind::Addmm ? SplitAddmm::apply(x, weight, *bias) : linearInParts(x, weight, bias);
  };
}

}  // namespace lanelab
