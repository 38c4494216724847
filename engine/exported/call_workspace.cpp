// SPDX-License-Identifier: GPL-3.0-only
// Rules for operators, of tensor_calls.h.
#include <algorithm>
#include <array>
#include <string_view>

#include "engine/exported/graph/node_arguments.h"
#include "engine/exported/operators/einsum_call.h"
#include "engine/exported/operators/operator_traits.h"
#include "engine/exported/tensor_calls.h"

namespace lanelab {
namespace {

std::string_view plainName(const ExportedNode& node) { return outOfPlace(operatorName(node.target)); }

std::int64_t bytesOfResult(const ExportedNode& node, const SampleSizes& sizes) {
  return !node.outputs.empty() && node.outputs.front() ? sizes.bytes(*node.outputs.front()) : 0;
}

/// Of one, or of all in a list.
std::int64_t bytesOfWeights(const ExportedGraph& graph, const ExportedNode& node, std::size_t i,
                            const SampleSizes& sizes) {
  if (i >= node.inputs.size()) return 0;
  std::int64_t bytes = 0;
  for (const ValueId id : valuesIn(node.inputs[i].value))
    bytes += numbersOf(sizes.wholeShape(id)) * bytesOf(graph.value(id).type);
  return bytes;
}

/// oneDNN computes the gradient of a grouped weight with the channels of each group in full blocks.
std::int64_t convolutionWeightPassing(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes) {
  constexpr std::int64_t kBlockedChannels = 16;
  const auto inBlocks = [](std::int64_t channels) {
    return (channels + kBlockedChannels - 1) / kBlockedChannels * kBlockedChannels;
  };
  const std::int64_t plain = bytesOfWeights(graph, node, 1, sizes);
  const auto weight = tensorAt(graph, node, 1);
  const std::int64_t groups = integerOr(node, "groups").value_or(1);
  const Shape shape = weight ? sizes.wholeShape(*weight) : Shape();
  if (groups <= 1 || shape.size() < 3 || numbersOf(shape) == 0) return 3 * plain;
  const std::int64_t each = inBlocks(shape[0] / groups) * inBlocks(shape[1]) * groups;
  return std::max(3 * plain, plain + plain / (shape[0] * shape[1]) * each);
}

/// Kernels wider than oneDNN's own code goes by products of matrices: the weight's gradient in two more orders, and the
/// windows of a sample beside the sample.
std::int64_t wideKernelPassing(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes) {
  constexpr std::int64_t kWidest = 14;
  const auto weight = tensorAt(graph, node, 1), input = tensorAt(graph, node, 0);
  const Shape kernel = weight ? sizes.wholeShape(*weight) : Shape();
  if (kernel.size() < 4 || std::max(kernel[2], kernel[3]) <= kWidest || kernel[0] == 0) return 0;
  const std::int64_t results = bytesOfResult(node, sizes) / kernel[0];
  return 2 * bytesOfWeights(graph, node, 1, sizes) + results * (numbersOf(kernel) / kernel[0]) + sizes.bytes(*input);
}

bool isConvolution(std::string_view name) { return name.starts_with("conv"); }

/// Of one head's queries by keys, of all heads; 0 where the CPU's own kernel runs.
std::int64_t scoreBytes(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes) {
  const auto query = tensorAt(graph, node, 0), key = tensorAt(graph, node, 1);
  if (!query || !key || numberOr(node, "dropout_p").value_or(0) == 0) return 0;
  const Shape queries = sizes.wholeShape(*query), keys = sizes.wholeShape(*key);
  if (queries.empty() || queries.back() == 0 || keys.size() < 2) return 0;
  return sizes.bytes(*query) / queries.back() * keys[keys.size() - 2];
}

/// Calls whose gradients need nothing of their own.
constexpr std::array<std::string_view, 11> kPassing = {"add",  "cat",  "clone", "contiguous", "copy", "dropout",
                                                       "lerp", "rsub", "stack", "sub",        "sum"};

/// Views whose gradients are as large as what they are views of.
bool cutsOut(std::string_view name) {
  return isOneOf(name, "slice", "select", "narrow", "split", "split_with_sizes", "chunk", "unbind", "unfold",
                 "diagonal", "expand", "expand_as", "as_strided", "broadcast_to", "tensor_split");
}

}  // namespace

PassingBytes forwardPassing(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes) {
  const std::string_view name = plainName(node);
  // oneDNN copies weights into its own order.
  if (isConvolution(name)) return {0, bytesOfWeights(graph, node, 1, sizes)};
  if (name == "scaled_dot_product_attention") return {scoreBytes(graph, node, sizes) * 5 / 4, 0};
  if (name == "linear" && tensorAt(graph, node, 0) && tensorAt(graph, node, 2)) {
    const bool apart =
        sizes.wholeShape(*tensorAt(graph, node, 0)).size() > 2 && !sizes.isContiguous(*tensorAt(graph, node, 0));
    return {apart ? bytesOfResult(node, sizes) : 0, 0};  // the product before its bias
  }
  return {};
}

PassingBytes backwardPassing(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes,
                             const TensorMemory& memory) {
  const std::string_view name = plainName(node);
  if (isConvolution(name))
    return {0, convolutionWeightPassing(graph, node, sizes) + wideKernelPassing(graph, node, sizes)};
  if (name == "lstm") return {0, 3 * bytesOfWeights(graph, node, 2, sizes)};  // in oneDNN's order, and in two more
  // Where the largest are, the gradient there, and that shared among equal ones.
  if (isOneOf(name, "amax", "amin")) {
    const auto read = tensorAt(graph, node, 0);
    return {read ? sizes.bytes(*read) * 5 / 4 : 0, 0};
  }
  if (name == "batch_norm") return {bytesOfResult(node, sizes), 0};
  if (name == "scaled_dot_product_attention") {
    // Two gradients of scores, when what the product with the values saved is gone.
    const std::int64_t scores = scoreBytes(graph, node, sizes);
    std::int64_t made = 0;
    for (const std::size_t i : {0, 1})
      if (const auto id = tensorAt(graph, node, i)) made += sizes.bytes(*id);
    return {std::max<std::int64_t>(scores - made, 0), 0};
  }
  // A factor of fewer numbers has its gradient summed up from as many as the result has.
  if (isOneOf(name, "mul", "div")) {
    for (const std::size_t i : {0, 1}) {
      const auto id = tensorAt(graph, node, i);
      if (id && memory.gradient[id->index()] && sizes.bytes(*id) < bytesOfResult(node, sizes))
        return {bytesOfResult(node, sizes), 0};
    }
  }
  return {};
}

bool passesGradient(const ExportedGraph& graph, const ExportedNode& node, ValueId read, const SampleSizes& sizes,
                    const TensorMemory& memory) {
  const std::string_view name = plainName(node);
  if (cutsOut(name)) return false;
  if (name == "einsum") return einsumOperands(node) == 1;
  if (std::ranges::find(kPassing, name) == kPassing.end())
    return isView(node) && !operatorName(node.target).ends_with('_');
  if (name == "dropout") return isView(node);
  if (isOneOf(name, "cat", "stack", "sum", "clone", "contiguous")) return true;
  const auto second = tensorAt(graph, node, 1);
  if (isOneOf(name, "sub", "rsub") && second == read) return false;
  return !node.outputs.empty() && node.outputs.front() && sizes.bytes(read) == sizes.bytes(*node.outputs.front()) &&
         memory.gradient[read.index()];
}

}  // namespace lanelab
