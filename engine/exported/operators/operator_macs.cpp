// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/operators/operator_macs.h"

#include <algorithm>

#include "engine/exported/operators/einsum_call.h"
#include "engine/exported/operators/operator_traits.h"

namespace lanelab {
namespace {

/// A call, by the places of its arguments.
struct MacCall {
  const ExportedGraph& graph;
  const ExportedNode& node;
  const SampleSizes& sizes;

  std::optional<ValueId> tensor(std::size_t i) const { return tensorAt(graph, node, i); }
  Shape shape(std::size_t i) const { return tensor(i) ? sizes.wholeShape(*tensor(i)) : Shape(); }
  std::int64_t made() const {
    return !node.outputs.empty() && node.outputs.front() ? sizes.elements(*node.outputs.front()) : 0;
  }
};

/// Size `from_end` places from the last, or 1.
std::int64_t sizeFromEnd(const Shape& shape, std::size_t from_end) {
  return shape.size() > from_end ? shape[shape.size() - 1 - from_end] : 1;
}

/// Elements of a weight that go into one element of the other side: all but those of size 0.
std::int64_t weightsEach(const Shape& weight) {
  return weight.empty() || weight.front() == 0 ? 0 : numbersOf(weight) / weight.front();
}

std::int64_t convolutionMacs(const MacCall& call) { return call.made() * weightsEach(call.shape(1)); }

/// Each element of the input goes into a window of each output channel.
std::int64_t transposedConvolutionMacs(const MacCall& call) {
  return call.tensor(0) ? call.sizes.elements(*call.tensor(0)) * weightsEach(call.shape(1)) : 0;
}

/// Argument 1 is a weight [out, in], or the first of two that are multiplied and added to argument 0.
std::int64_t linearMacs(const MacCall& call) { return call.made() * sizeFromEnd(call.shape(1), 0); }

std::int64_t productMacs(const MacCall& call) { return call.made() * sizeFromEnd(call.shape(0), 0); }

/// Scores of queries and keys, and their product with the values.
std::int64_t attentionMacs(const MacCall& call) {
  const Shape query = call.shape(0), key = call.shape(1), value = call.shape(2);
  const std::int64_t width = sizeFromEnd(query, 0);
  if (!call.tensor(0) || width == 0) return 0;
  const std::int64_t queries = call.sizes.elements(*call.tensor(0)) / width;
  return queries * sizeFromEnd(key, 1) * (width + sizeFromEnd(value, 0));
}

/// Weights of all layers at each place of the sequence: matrices of two dimensions, not biases.
std::int64_t recurrentMacs(const MacCall& call) {
  const auto* const weights =
      call.node.inputs.size() > 2 ? std::get_if<std::vector<ValueId>>(&call.node.inputs[2].value) : nullptr;
  const std::int64_t width = sizeFromEnd(call.shape(0), 0);
  if (!weights || !call.tensor(0) || width == 0) return 0;
  std::int64_t each = 0;
  for (const ValueId id : *weights) {
    const Shape shape = call.sizes.wholeShape(id);
    if (shape.size() == 2) each += numbersOf(shape);
  }
  return call.sizes.elements(*call.tensor(0)) / width * each;
}

/// All labels once, of one sample.
std::int64_t einsumMacs(const MacCall& call) {
  const std::optional<EinsumCall> einsum = einsumOf(call.graph, call.node, call.sizes);
  if (!einsum || einsum->operands.size() < 2) return 0;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < einsum->operands.size(); ++i) {
    std::string others;
    for (const auto& [label, size] : einsum->sizes)
      if (einsum->labels[i].find(label) == std::string::npos) others.push_back(label);
    most = std::max(most, call.sizes.elements(einsum->operands[i]) * einsum->sizeOf(others));
  }
  return most;
}

using MacRule = OperatorRule<std::int64_t (*)(const MacCall&)>;

constexpr MacRule kMacRules[] = {{convolutionMacs, "conv1d conv2d conv3d convolution"},
                                 {transposedConvolutionMacs, "conv_transpose1d conv_transpose2d conv_transpose3d"},
                                 {linearMacs, "linear addmm addbmm baddbmm"},
                                 {productMacs, "matmul mm bmm mv"},
                                 {einsumMacs, "einsum"},
                                 {attentionMacs, "scaled_dot_product_attention"},
                                 {recurrentMacs, "lstm gru rnn_tanh rnn_relu"}};

}  // namespace

std::int64_t macsOf(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes) {
  if (!node.target.starts_with("aten.")) return 0;
  static const auto rules = rulesByName(std::span<const MacRule>(kMacRules));
  const auto rule = rules.find(operatorName(node.target));
  return rule == rules.end() ? 0 : rule->second({graph, node, sizes});
}

}  // namespace lanelab
