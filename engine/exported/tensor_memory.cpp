// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/tensor_memory.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/exported/operators/operator_traits.h"

namespace lanelab {
namespace {

/// Results that no gradient flows through, whatever is read.
constexpr std::array<std::string_view, 12> kGradientEnds = {"bernoulli", "detach",    "detach_",   "empty_like",
                                                            "full_like", "new_empty", "new_full",  "new_ones",
                                                            "new_zeros", "ones_like", "rand_like", "zeros_like"};

/// The first tensor that a call reads; a list's first.
std::optional<ValueId> firstTensor(const ExportedNode& node) {
  if (node.inputs.empty()) return std::nullopt;
  const std::vector<ValueId> values = valuesIn(node.inputs.front().value);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

/// Whether the one result is a view of `from`, of a call that may copy.
bool isViewOf(const ExportedGraph& graph, const SampleSizes& sizes, const ExportedNode& node, ValueId from) {
  const std::string_view name = operatorName(node.target);
  if (node.outputs.empty() || !node.outputs.front()) return false;
  const ValueId to = *node.outputs.front();
  if (isOneOf(name, "to", "type_as")) return graph.value(from).type == graph.value(to).type;
  if (isOneOf(name, "contiguous", "ravel")) return sizes.isContiguous(from);
  if (isOneOf(name, "reshape", "reshape_as", "flatten")) return sizes.canBeViewedAs(from, sizes.wholeShape(to));
  return !isOneOf(name, "einsum", "tensor_split", "unsafe_split", "unsafe_chunk");
}

/// Whether a nested graph runs without gradients.
bool endsGradients(const ExportedNode& node) {
  if (std::ranges::find(kGradientEnds, operatorName(node.target)) != kGradientEnds.end()) return true;
  if (node.target != "higher_order.wrap_with_set_grad_enabled" || node.inputs.empty()) return false;
  const auto* const enabled = std::get_if<bool>(&node.inputs.front().value);
  return enabled && !*enabled;
}

}  // namespace

TensorMemory tensorMemoryOf(const ExportedGraph& graph, const SampleSizes& sizes) {
  const std::size_t count = graph.values.size();
  TensorMemory memory{{}, std::vector<bool>(count), std::vector<bool>(count)};
  for (std::size_t v = 0; v < count; ++v) memory.bases.emplace_back(v);
  std::vector<bool> weights(count), written(count);  // by base: written with something that needs gradients
  for (const ExportedInput& input : graph.inputs) {
    weights[input.value.index()] = input.kind != ExportedInput::Kind::User;
    memory.gradient[input.value.index()] = input.kind == ExportedInput::Kind::Parameter && input.trained &&
                                           isDifferentiable(graph.value(input.value).type);
  }
  const auto base = [&](ValueId id) { return memory.bases[id.index()]; };
  for (const ExportedNode& node : graph.nodes) {
    const std::optional<ValueId> from = firstTensor(node);
    const bool view = from && isView(node) && isViewOf(graph, sizes, node, *from);
    const std::vector<ValueId> read = valuesRead(node);
    const bool follows = !endsGradients(node) && std::ranges::any_of(read, [&](ValueId id) {
      return memory.gradient[id.index()] || written[base(id).index()];
    });
    for (const auto& to : node.outputs) {
      if (!to) continue;
      if (view) memory.bases[to->index()] = base(*from);
      memory.gradient[to->index()] = follows && isDifferentiable(graph.value(*to).type);
    }
    for (const ValueId id : valuesWritten(node))
      if (follows) written[base(id).index()] = true;
  }
  for (std::size_t v = 0; v < count; ++v) {
    const std::size_t first = memory.bases[v].index();
    memory.of_weight[v] = weights[first];
    if (written[first] && isDifferentiable(graph.values[v].type) && !weights[first]) memory.gradient[v] = true;
  }
  return memory;
}

}  // namespace lanelab
