// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/operators/weighted_calls.h"

#include "engine/exported/graph/node_arguments.h"

namespace lanelab {
namespace {

std::optional<WeightedCall::Kind> kindOf(const ExportedNode& node) {
  if (node.target == "aten.linear.default") return WeightedCall::Kind::Linear;
  if (node.target == "aten.addmm.default") return WeightedCall::Kind::Addmm;
  if (node.target == "aten.conv2d.default") return WeightedCall::Kind::Convolution;
  return std::nullopt;
}

std::optional<ConvolutionWindows> windowsOf(const ExportedNode& node) {
  const auto stride = pairOr(node, "stride", 1), padding = pairOr(node, "padding", 0),
             dilation = pairOr(node, "dilation", 1);
  if (!stride || !padding || !dilation) return std::nullopt;
  return ConvolutionWindows{*stride, *padding, *dilation, integerOr(node, "groups").value_or(1)};
}

}  // namespace

std::vector<bool> parametersOf(const ExportedGraph& graph) {
  std::vector<bool> parameters(graph.values.size(), false);
  for (const ExportedInput& input : graph.inputs)
    if (input.kind == ExportedInput::Kind::Parameter) parameters[input.value.index()] = true;
  return parameters;
}

std::optional<WeightedCall> weightedCallOf(const ExportedNode& node, const std::vector<bool>& parameters) {
  const std::optional<WeightedCall::Kind> kind = kindOf(node);
  if (!kind || node.outputs.size() != 1 || !node.outputs.front()) return std::nullopt;
  const bool is_addmm = kind == WeightedCall::Kind::Addmm;
  const std::optional<ValueId> input = valueOr(node, is_addmm ? "mat1" : "input"),
                               weight = valueOr(node, is_addmm ? "mat2" : "weight"),
                               bias = valueOr(node, is_addmm ? "self" : "bias");
  const auto isParameter = [&](ValueId value) { return static_cast<bool>(parameters[value.index()]); };
  if (!input || !weight || !isParameter(*weight) || (bias && !isParameter(*bias))) return std::nullopt;
  WeightedCall call{*kind, *input, *weight, bias, *node.outputs.front()};
  if (is_addmm && (!bias || numberOr(node, "beta").value_or(1) != 1 || numberOr(node, "alpha").value_or(1) != 1))
    return std::nullopt;
  if (kind != WeightedCall::Kind::Convolution) return call;
  const std::optional<ConvolutionWindows> windows = windowsOf(node);
  if (!windows) return std::nullopt;
  call.windows = *windows;
  return call;
}

std::optional<ConvGeometry> productGeometry(const WeightedCall& call, const ExportedGraph& graph,
                                            const SampleSizes& sizes) {
  using Pair = std::array<std::int64_t, 2>;
  const Shape weight = sizes.wholeShape(call.weight), input = sizes.wholeShape(call.input);
  const ConvolutionWindows& windows = call.windows;
  if (call.kind != WeightedCall::Kind::Convolution || weight.size() != 4 || input.size() != 4) return std::nullopt;
  const std::int64_t kernel = weight[2], pad = kernel / 2;
  const bool fits = (kernel == 1 || kernel == kLargestProductKernel) && weight[3] == kernel && windows.groups == 1 &&
                    windows.padding == Pair{pad, pad} && windows.dilation == Pair{1, 1} &&
                    windows.stride[0] == windows.stride[1] && graph.value(call.input).type == ScalarKind::Float32;
  const std::int64_t image = input[1] * input[2] * input[3];
  if (!fits || image == 0) return std::nullopt;
  return ConvGeometry{
      sizes.elements(call.input) / image, input[1], input[2], input[3], weight[0], kernel, windows.stride[0]};
}

}  // namespace lanelab
