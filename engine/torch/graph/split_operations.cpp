// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/split_operations.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/torch/graph/folded_linear.h"
#include "engine/torch/graph/graph_arguments.h"
#include "engine/torch/nn/deferred_weights.h"

namespace lanelab {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

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
struct Wanted {
  bool weight = false, bias = false;
  bool any() const { return weight || bias; }
};

/// Of a function whose arguments 1 and 2 are weight and bias.
Wanted wantedBy(AutogradContext& context, const at::Tensor& bias) {
  return {context.needs_input_grad(1), bias.defined() && context.needs_input_grad(2)};
}

/// Now, or in the weight part: then back come none.
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
    const Wanted wanted = wantedBy(*context, bias);
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
    const Wanted wanted = wantedBy(*context, bias);
    if (!wanted.any()) return {dx, {}, {}};
    auto [dw, db] = nowOrLater(weight, bias, [x, gradient, wanted]() -> WeightGradients {
      return {wanted.weight ? x.t().mm(gradient) : at::Tensor(), wanted.bias ? gradient.sum(0) : at::Tensor()};
    });
    return {dx, dw, db};
  }
};

struct Windows {
  std::vector<std::int64_t> stride, padding, dilation;
  std::int64_t groups = 1;
  bool defers = true;  ///< the gradient of the weight, if the backward is split
};

/// Of a vector of the widest instructions that oneDNN has code for.
constexpr std::int64_t kVectorFloats = 16;

/// For a kernel of 1x1 that skips pixels of few channels, oneDNN's gradient of the weight in channels_last order writes
/// outside its workspace: wrong numbers, a crash or a hang (uxlfoundation/oneDNN, issue 6035).
bool overrunsOneDnn(at::IntArrayRef weight, const Windows& windows) {
  return weight.size() == 4 && weight[1] < kVectorFloats && weight[2] == 1 && weight[3] == 1 &&
         windows.stride != std::vector<std::int64_t>{1, 1} && windows.padding == std::vector<std::int64_t>{0, 0};
}

/// The pixels of x [n, c, h, w] that a kernel of 1x1 sees.
at::Tensor seenPixels(const at::Tensor& x, const Windows& windows) {
  return x.slice(2, 0, std::nullopt, windows.stride[0]).slice(3, 0, std::nullopt, windows.stride[1]);
}

class SplitConvolution : public torch::autograd::Function<SplitConvolution> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& weight,
                            const std::optional<at::Tensor>& bias, const Windows* windows) {
    context->save_for_backward({x, weight, bias.value_or(at::Tensor())});
    context->saved_data["windows"] = reinterpret_cast<std::int64_t>(windows);
    return belowAutograd([&] {
      return at::convolution(x, weight, bias, windows->stride, windows->padding, windows->dilation,
                             /*transposed=*/false, {0, 0}, windows->groups);
    });
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1], &bias = saved[2], &gradient = gradients[0];
    const auto* const windows = reinterpret_cast<const Windows*>(context->saved_data["windows"].toInt());
    const auto parts = [x, weight, gradient, windows, has_bias = bias.defined()](bool of_input, bool of_weight,
                                                                                 bool of_bias) {
      const std::vector<std::int64_t> bias_sizes = {weight.size(0)};
      const bool skips = of_weight && x.is_cpu() && overrunsOneDnn(weight.sizes(), *windows);
      return at::convolution_backward(gradient, skips ? seenPixels(x, *windows) : x, weight,
                                      has_bias ? at::OptionalIntArrayRef(bias_sizes) : at::OptionalIntArrayRef(),
                                      skips ? at::IntArrayRef({1, 1}) : windows->stride, windows->padding,
                                      windows->dilation, /*transposed=*/false, {0, 0}, windows->groups,
                                      {of_input, of_weight, of_bias});
    };
    at::Tensor dx;
    if (context->needs_input_grad(0)) dx = std::get<0>(parts(true, false, false));
    const Wanted wanted = wantedBy(*context, bias);
    if (!wanted.any()) return {dx, {}, {}, {}};
    const auto of_weights = [parts, wanted]() -> WeightGradients {
      auto [none, of_weight, of_bias] = parts(false, wanted.weight, wanted.bias);
      return {std::move(of_weight), std::move(of_bias)};
    };
    auto [dw, db] = windows->defers ? nowOrLater(weight, bias, of_weights) : of_weights();
    return {dx, dw, db, {}};
  }
};

bool isParameter(const ExportedGraph& graph, std::optional<ValueId> value) {
  const auto found = value ? std::ranges::find(graph.inputs, *value, &ExportedInput::value) : graph.inputs.end();
  return found != graph.inputs.end() && found->kind == ExportedInput::Kind::Parameter;
}

/// A call of one value with a weight, and mostly a bias.
class SplitOperation : public GraphOperation {
 public:
  SplitOperation(ValueId input, ValueId weight, std::optional<ValueId> bias, ValueId output)
      : m_input(input), m_weight(weight), m_bias(bias), m_output(output) {}

  void run(GraphFrame& frame, const GraphPass& pass) final {
    const at::AutoGradMode mode(pass.recorded && at::GradMode::is_enabled());
    const at::Tensor weight = frame[m_weight].toTensor();
    // In bf16 the graph's own casts may give another type than the weight has.
    const at::Tensor x = frame[m_input].toTensor().to(weight.scalar_type());
    frame[m_output] = apply(x, weight, m_bias ? std::optional(frame[*m_bias].toTensor()) : std::nullopt);
  }

 private:
  virtual at::Tensor apply(const at::Tensor& x, const at::Tensor& weight,
                           const std::optional<at::Tensor>& bias) const = 0;

  ValueId m_input, m_weight;
  std::optional<ValueId> m_bias;
  ValueId m_output;
};

class LinearOperation final : public SplitOperation {
 public:
  using SplitOperation::SplitOperation;

 private:
  at::Tensor apply(const at::Tensor& x, const at::Tensor& weight,
                   const std::optional<at::Tensor>& bias) const override {
    return SplitLinear::apply(x, weight, bias);
  }
};

class AddmmOperation final : public SplitOperation {
 public:
  using SplitOperation::SplitOperation;

 private:
  at::Tensor apply(const at::Tensor& x, const at::Tensor& weight,
                   const std::optional<at::Tensor>& bias) const override {
    return SplitAddmm::apply(x, weight, *bias);
  }
};

class ConvolutionOperation final : public SplitOperation {
 public:
  ConvolutionOperation(ValueId input, ValueId weight, std::optional<ValueId> bias, ValueId output, Windows windows)
      : SplitOperation(input, weight, bias, output), m_windows(std::move(windows)) {}

 private:
  at::Tensor apply(const at::Tensor& x, const at::Tensor& weight,
                   const std::optional<at::Tensor>& bias) const override {
    return SplitConvolution::apply(x, weight, bias, &m_windows);
  }

  Windows m_windows;
};

/// Two integers, of one or two; nothing where they are not constants.
std::optional<std::vector<std::int64_t>> pairOf(const ExportedNode& node, const std::string& name,
                                                std::int64_t otherwise) {
  const ExportedArgument* const given = argumentOf(node, name);
  if (!given) return std::vector<std::int64_t>{otherwise, otherwise};
  const auto* const list = std::get_if<std::vector<std::int64_t>>(given);
  if (!list || list->empty() || list->size() > 2) return std::nullopt;
  return std::vector<std::int64_t>{list->front(), list->back()};
}

std::optional<Windows> windowsOf(const ExportedNode& node) {
  const auto stride = pairOf(node, "stride", 1), padding = pairOf(node, "padding", 0),
             dilation = pairOf(node, "dilation", 1);
  if (!stride || !padding || !dilation) return std::nullopt;
  return Windows{*stride, *padding, *dilation, static_cast<std::int64_t>(numberOr(node, "groups").value_or(1))};
}

std::unique_ptr<GraphOperation> convolution(const ExportedNode& node, ValueId weight, bool defers) {
  std::optional<Windows> windows = windowsOf(node);
  if (!windows) return nullptr;
  windows->defers = defers;
  return std::make_unique<ConvolutionOperation>(requiredValue(node, "input"), weight, valueOr(node, "bias"),
                                                node.outputs.at(0).value(), *std::move(windows));
}

bool overrunsOneDnn(const ExportedGraph& graph, const ExportedNode& node) {
  const std::optional<ValueId> weight = valueOr(node, "weight");
  const std::optional<Windows> windows = weight ? windowsOf(node) : std::nullopt;
  if (!windows) return false;
  std::vector<std::int64_t> sizes;
  for (const SizeExpression& size : graph.value(*weight).sizes) sizes.push_back(size.constant().value_or(0));
  return overrunsOneDnn(sizes, *windows);
}

}  // namespace

std::unique_ptr<GraphOperation> splitOperationFor(const ExportedGraph& graph, const ExportedNode& node,
                                                  const std::set<ValueId>& shared) {
  const bool is_addmm = node.target == "aten.addmm.default";
  const std::optional<ValueId> weight = valueOr(node, is_addmm ? "mat2" : "weight");
  const std::optional<ValueId> bias = valueOr(node, is_addmm ? "self" : "bias");
  if (!isParameter(graph, weight) || (bias && !isParameter(graph, bias))) return nullptr;
  if (shared.contains(*weight) || (bias && shared.contains(*bias))) return nullptr;
  const ValueId output = node.outputs.at(0).value();
  if (node.target == "aten.linear.default")
    return std::make_unique<LinearOperation>(requiredValue(node, "input"), *weight, bias, output);
  if (is_addmm && bias && numberOr(node, "beta").value_or(1) == 1 && numberOr(node, "alpha").value_or(1) == 1)
    return std::make_unique<AddmmOperation>(requiredValue(node, "mat1"), *weight, bias, output);
  if (node.target == "aten.conv2d.default") return convolution(node, *weight, /*defers=*/true);
  return nullptr;
}

std::unique_ptr<GraphOperation> wholeOperationFor(const ExportedGraph& graph, const ExportedNode& node) {
  const std::optional<ValueId> weight = valueOr(node, "weight"), bias = valueOr(node, "bias");
  const bool replaced = node.target == "aten.conv2d.default" && overrunsOneDnn(graph, node) &&
                        isParameter(graph, weight) && (!bias || isParameter(graph, bias));
  return replaced ? convolution(node, *weight, /*defers=*/false) : nullptr;
}

}  // namespace lanelab
