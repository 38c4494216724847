// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/norm_chains.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/exported/call_pattern.h"
#include "engine/exported/graph/node_arguments.h"

namespace lanelab {
namespace {

constexpr std::size_t kImageDimensions = 4;

struct ActivationName {
  std::string_view target;
  NormActivation activation;
};
constexpr std::array<ActivationName, 8> kActivations = {{{"aten.relu.default", NormActivation::Relu},
                                                         {"aten.relu_.default", NormActivation::Relu},
                                                         {"aten.relu6.default", NormActivation::Relu6},
                                                         {"aten.relu6_.default", NormActivation::Relu6},
                                                         {"aten.silu.default", NormActivation::Silu},
                                                         {"aten.silu_.default", NormActivation::Silu},
                                                         {"aten.hardswish.default", NormActivation::Hardswish},
                                                         {"aten.hardswish_.default", NormActivation::Hardswish}}};

NormActivation activationOf(const ExportedNode& node) {
  const auto* const named = std::ranges::find(kActivations, node.target, &ActivationName::target);
  if (named != kActivations.end()) return named->activation;
  const bool clamps = node.target == "aten.hardtanh.default" || node.target == "aten.hardtanh_.default";
  return clamps && numberOr(node, "min_val") == 0 && numberOr(node, "max_val") == 6 ? NormActivation::Relu6
                                                                                    : NormActivation::None;
}

bool isSum(const ExportedNode& node) { return node.target == "aten.add.Tensor" || node.target == "aten.add_.Tensor"; }

bool isImageNorm(const ExportedGraph& graph, const ExportedNode& node) {
  if (node.target != "aten.batch_norm.default" || !valueOr(node, "weight") || !valueOr(node, "bias")) return false;
  const std::optional<ValueId> input = valueOr(node, "input");
  return flagOr(node, "training", false) && input && graph.value(*input).sizes.size() == kImageDimensions &&
         graph.value(*input).type == ScalarKind::Float32;
}

class ChainFinder {
 public:
  ChainFinder(const ExportedGraph& graph, const ExportedBlocks& blocks) : m_graph(graph), m_around(graph, blocks) {}

  std::vector<NormChain> find() const {
    std::vector<NormChain> found;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
      if (isImageNorm(m_graph, m_graph.nodes[i])) found.push_back(chainFrom(i));
    std::ranges::sort(found, {}, &NormChain::last);
    return found;
  }

 private:
  /// The longest that may be done at its last place.
  NormChain chainFrom(std::size_t norm) const {
    const NormChain alone{norm};
    const NormChain activated = withActivation(alone);
    const NormChain summed = withSum(alone);
    const NormChain both = summed == alone ? alone : withActivation(summed);
    for (const NormChain& chain : {both, summed, activated})
      if (readsStay(chain)) return chain;
    return alone;
  }

  NormChain withActivation(NormChain chain) const {
    const std::optional<std::size_t> next = onlyReader(chain.last());
    const NormActivation kind = next ? activationOf(m_graph.nodes[*next]) : NormActivation::None;
    if (kind == NormActivation::None || (chain.sum && !isKnownByItsOutput(kind))) return chain;
    chain.activation = next;
    chain.kind = kind;
    return chain;
  }

  NormChain withSum(NormChain chain) const {
    const std::optional<std::size_t> next = onlyReader(chain.norm);
    if (!next) return chain;
    const std::optional<ValueId> beside = otherAddend(m_graph.nodes[*next], *m_graph.nodes[chain.norm].outputs.front());
    if (!beside) return chain;
    chain.sum = next;
    chain.beside = beside;
    return chain;
  }

  /// Whether nothing overwrites what the norm reads, or the addend, before the last place.
  bool readsStay(const NormChain& chain) const {
    if (chain.last() == chain.norm) return false;
    std::vector<ValueId> read = valuesRead(m_graph.nodes[chain.norm]);
    if (chain.beside) read.push_back(*chain.beside);
    return std::ranges::none_of(read,
                                [&](ValueId value) { return m_around.isWritten(value, chain.norm, chain.last()); });
  }

  /// Of the node's only result, in the same block.
  std::optional<std::size_t> onlyReader(std::size_t node) const {
    const auto& outputs = m_graph.nodes[node].outputs;
    if (outputs.size() != 1 || !outputs.front()) return std::nullopt;
    const std::vector<std::size_t>& readers = m_around.readersOf(*outputs.front());
    if (readers.size() != 1 || readers.front() == m_graph.nodes.size()) return std::nullopt;
    return m_around.areInOneBlock({node, readers.front()}) ? std::optional(readers.front()) : std::nullopt;
  }

  /// In place the sum must be written over the norm's result, not over the other addend, which others may read.
  std::optional<ValueId> otherAddend(const ExportedNode& sum, ValueId result) const {
    if (!isSum(sum) || numberOr(sum, "alpha").value_or(1) != 1) return std::nullopt;
    const std::optional<ValueId> self = valueOr(sum, "self"), other = valueOr(sum, "other");
    if (!self || !other || *self == *other) return std::nullopt;
    if (sum.target == "aten.add_.Tensor" && *self != result) return std::nullopt;
    const ValueId beside = *self == result ? *other : *self;
    const ExportedValue &own = m_graph.value(result), &there = m_graph.value(beside);
    return there.kind == own.kind && there.type == own.type && there.sizes == own.sizes ? std::optional(beside)
                                                                                        : std::nullopt;
  }

  const ExportedGraph& m_graph;
  CallSurroundings m_around;
};

}  // namespace

std::vector<NormChain> normChainsOf(const ExportedGraph& graph, const ExportedBlocks& blocks) {
  return ChainFinder(graph, blocks).find();
}

}  // namespace lanelab
