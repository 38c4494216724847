// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/graph_convolution.h"

#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>

#include <optional>
#include <utility>
#include <vector>

#include "engine/torch/graph/below_autograd.h"
#include "engine/torch/nn/product_conv.h"

namespace lanelab {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// Of a vector of the widest instructions that oneDNN has code for.
constexpr std::int64_t kVectorFloats = 16;

/// For a kernel of 1x1 that skips pixels of few channels, oneDNN's gradient of the weight in channels_last order writes
/// outside its workspace: wrong numbers, a crash or a hang (uxlfoundation/oneDNN, issue 6035).
bool overruns(at::IntArrayRef weight, const ConvolutionWindows& windows) {
  using Pair = std::array<std::int64_t, 2>;
  return weight.size() == 4 && weight[1] < kVectorFloats && weight[2] == 1 && weight[3] == 1 &&
         windows.stride != Pair{1, 1} && windows.padding == Pair{0, 0};
}

/// The pixels of x [n, c, h, w] that a kernel of 1x1 sees.
at::Tensor seenPixels(const at::Tensor& x, const ConvolutionWindows& windows) {
  return x.slice(2, 0, std::nullopt, windows.stride[0]).slice(3, 0, std::nullopt, windows.stride[1]);
}

/// What a backward finds.
struct ConvolutionGradients {
  at::Tensor x, weight, gradient;
  bool has_bias = false;
  c10::intrusive_ptr<ConvolutionWay> way;

  /// Of input, weight and bias, as PyTorch does them.
  std::tuple<at::Tensor, at::Tensor, at::Tensor> usual(bool of_input, bool of_weight, bool of_bias) const {
    const ConvolutionWindows& windows = way->windows;
    const std::vector<std::int64_t> bias_sizes = {weight.size(0)};
    const bool skips = of_weight && x.is_cpu() && overruns(weight.sizes(), windows);
    return at::convolution_backward(gradient, skips ? seenPixels(x, windows) : x, weight,
                                    has_bias ? at::OptionalIntArrayRef(bias_sizes) : at::OptionalIntArrayRef(),
                                    skips ? at::IntArrayRef({1, 1}) : at::IntArrayRef(windows.stride), windows.padding,
                                    windows.dilation, /*transposed=*/false, {0, 0}, windows.groups,
                                    {of_input, of_weight, of_bias});
  }

  at::Tensor ofInput() const {
    return way->products.input_gradient ? inputProduct(gradient, x, weight, way->stride())
                                        : std::get<0>(usual(true, false, false));
  }

  /// The weight's is undefined where it was added to weight.grad already.
  WeightGradients ofWeights(WantedGradients wanted) const {
    if (!way->products.weight_gradient) {
      auto [none, dw, db] = usual(false, wanted.weight, wanted.bias);
      return {std::move(dw), std::move(db)};
    }
    at::Tensor dw;
    const bool adds = way->adds_within && weight.is_leaf();
    if (wanted.weight && !(adds && addWeightProduct(weight.mutable_grad(), gradient, x, weight, way->stride())))
      dw = weightProduct(gradient, x, weight, way->stride());
    return {std::move(dw), wanted.bias ? gradient.sum({0, 2, 3}) : at::Tensor()};
  }
};

class RuledConvolution : public torch::autograd::Function<RuledConvolution> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias, const c10::intrusive_ptr<ConvolutionWay>& way,
                            const c10::intrusive_ptr<RemadeValue>& remade) {
    context->save_for_backward({remade ? at::Tensor() : x, weight, bias.value_or(at::Tensor())});
    if (remade) remade->saveIn(*context);
    context->saved_data["way"] = c10::IValue::make_capsule(way);
    const ConvolutionWindows& windows = way->windows;
    // The image of a product is a view of its rows, which autograd must not see: calls behind may write to it.
    return belowAutograd([&] {
      if (!way->products.forward)
        return at::convolution(x, weight, bias, windows.stride, windows.padding, windows.dilation,
                               /*transposed=*/false, {0, 0}, windows.groups);
      at::Tensor y = forwardProduct(x, weight, way->stride());
      return bias ? y.add_(bias->view({1, -1, 1, 1})) : y;
    });
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    variable_list saved = context->get_saved_variables();
    const auto remade = RemadeValue::savedIn(*context);
    const at::Tensor bias = saved[2];
    const ConvolutionGradients parts{
        remade ? remade->read() : std::move(saved[0]), saved[1], std::move(gradients[0]), bias.defined(),
        c10::static_intrusive_pointer_cast<ConvolutionWay>(context->saved_data["way"].toCapsule())};
    at::Tensor dx;
    if (context->needs_input_grad(0)) dx = parts.ofInput();
    const WantedGradients wanted = wantedBy(*context, bias);
    if (!wanted.any()) return {dx, {}, {}, {}, {}};
    const auto of_weights = [parts, wanted] { return parts.ofWeights(wanted); };
    auto [dw, db] = parts.way->defers ? nowOrLater(parts.weight, bias, of_weights) : of_weights();
    return {dx, dw, db, {}, {}};
  }
};

}  // namespace

at::Tensor convolved(const Activation& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                     const c10::intrusive_ptr<ConvolutionWay>& way) {
  return RuledConvolution::apply(x.value, weight, bias, way, x.remade);
}

bool overrunsOneDnn(const WeightedCall& call, const ExportedGraph& graph) {
  std::vector<std::int64_t> sizes;
  for (const SizeExpression& size : graph.value(call.weight).sizes) sizes.push_back(size.constant().value_or(0));
  return call.kind == WeightedCall::Kind::Convolution && overruns(sizes, call.windows);
}

GraphOperation graphConvolution(const WeightedCall& call, Rules rules, bool alone) {
  return [call, rules, alone](GraphFrame& frame, const GraphPass& pass) {
    const at::AutoGradMode mode(pass.recorded && at::GradMode::is_enabled());
    const at::Tensor weight = frame[call.weight].toTensor();
    const at::Tensor given = frame[call.input].toTensor();
    // In bf16 the graph's own casts may give another type than the weight has.
    const at::Tensor x = given.to(weight.scalar_type());
    auto way = c10::make_intrusive<ConvolutionWay>(call.windows);
    way->defers = alone && rules.has(Rule::SplitBackward);
    way->adds_within = alone;
    if (rules.has(Rule::ConvolutionProduct)) way->products = chooseProducts(x, weight, way->stride());
    const auto remade = x.is_same(given) ? frame.remade(call.input) : c10::intrusive_ptr<RemadeValue>();
    const auto bias = call.bias ? std::optional(frame[*call.bias].toTensor()) : std::nullopt;
    frame[call.output] = convolved({x, remade}, weight, bias, way);
  };
}

}  // namespace lanelab
