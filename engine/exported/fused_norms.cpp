// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/fused_norms.h"

#include <algorithm>
#include <string_view>
#include <variant>

namespace lanelab {
namespace {

constexpr std::size_t kImageDimensions = 4;
constexpr int kNoBlock = -1;

std::optional<ValueId> valueAt(const ExportedNode& node, std::string_view name) {
  const ExportedArgument* const argument = argumentOf(node, name);
  const auto* const value = argument ? std::get_if<ValueId>(argument) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

bool isRelu(const ExportedNode& node) {
  return node.target == "aten.relu.default" || node.target == "aten.relu_.default";
}

bool isSum(const ExportedNode& node) { return node.target == "aten.add.Tensor" || node.target == "aten.add_.Tensor"; }

/// The number of an argument that may be left out where it is 1.
bool isOne(const ExportedNode& node, std::string_view name) {
  const ExportedArgument* const argument = argumentOf(node, name);
  if (argument == nullptr) return true;
  if (const auto* const whole = std::get_if<std::int64_t>(argument)) return *whole == 1;
  const auto* const number = std::get_if<double>(argument);
  return number != nullptr && *number == 1;
}

class NormFinder {
 public:
  NormFinder(const ExportedGraph& graph, const ExportedBlocks& blocks)
      : m_graph(graph),
        m_flow(blocks.flow),
        m_block_of(graph.nodes.size(), kNoBlock),
        m_readers(graph.values.size(), 0),
        m_reader(graph.values.size()) {
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b)
      for (const std::size_t node : blocks.blocks[b].nodes) m_block_of[node] = static_cast<int>(b);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const ValueId value : valuesRead(graph.nodes[i])) {
        ++m_readers[value.index()];
        m_reader[value.index()] = i;
      }
    }
    for (const ValueId value : graph.outputs) ++m_readers[value.index()], m_reader[value.index()] = graph.nodes.size();
  }

  std::vector<FusedNorm> find() const {
    std::vector<FusedNorm> found;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
      if (const std::optional<FusedNorm> fused = fusedAt(i); fused && readsStay(*fused)) found.push_back(*fused);
    std::ranges::sort(found, {}, &FusedNorm::relu);
    return found;
  }

 private:
  std::optional<FusedNorm> fusedAt(std::size_t i) const {
    if (!isImageNorm(m_graph, m_graph.nodes[i])) return std::nullopt;
    const std::optional<std::size_t> next = onlyReader(i);
    if (!next) return std::nullopt;
    if (isRelu(m_graph.nodes[*next])) return FusedNorm{i, {}, {}, *next};
    const std::optional<ValueId> beside = otherAddend(m_graph.nodes[*next], *m_graph.nodes[i].outputs.front());
    const std::optional<std::size_t> last = beside ? onlyReader(*next) : std::nullopt;
    if (!last || !isRelu(m_graph.nodes[*last])) return std::nullopt;
    return FusedNorm{i, *next, beside, *last};
  }

  /// Whether nothing overwrites what the norm reads, or the addend, before the ReLU's place.
  bool readsStay(const FusedNorm& fused) const {
    std::vector<int> storages;
    for (const ValueId value : valuesRead(m_graph.nodes[fused.norm])) storages.push_back(storageOf(value));
    if (fused.beside) storages.push_back(storageOf(*fused.beside));
    for (std::size_t i = fused.norm + 1; i < fused.relu; ++i) {
      if (i == fused.sum) continue;
      for (const ValueId value : m_flow.written[i])
        if (std::ranges::find(storages, storageOf(value)) != storages.end()) return false;
    }
    return true;
  }
  int storageOf(ValueId value) const { return m_flow.storages[value.index()]; }

  /// Of the node's only result, in the same block.
  std::optional<std::size_t> onlyReader(std::size_t node) const {
    const auto& outputs = m_graph.nodes[node].outputs;
    if (outputs.size() != 1 || !outputs.front() || m_readers[outputs.front()->index()] != 1) return std::nullopt;
    const std::size_t reader = m_reader[outputs.front()->index()];
    const bool here =
        reader < m_graph.nodes.size() && m_block_of[reader] == m_block_of[node] && m_block_of[node] != kNoBlock;
    return here ? std::optional(reader) : std::nullopt;
  }

  /// In place the sum must be written over the norm's result, not over the other addend, which others may read.
  std::optional<ValueId> otherAddend(const ExportedNode& sum, ValueId result) const {
    if (!isSum(sum) || !isOne(sum, "alpha")) return std::nullopt;
    const std::optional<ValueId> self = valueAt(sum, "self"), other = valueAt(sum, "other");
    if (!self || !other || *self == *other) return std::nullopt;
    if (sum.target == "aten.add_.Tensor" && *self != result) return std::nullopt;
    const ValueId beside = *self == result ? *other : *self;
    const ExportedValue &own = m_graph.value(result), &there = m_graph.value(beside);
    return there.kind == own.kind && there.type == own.type && there.sizes == own.sizes ? std::optional(beside)
                                                                                        : std::nullopt;
  }

  const ExportedGraph& m_graph;
  const ValueFlow& m_flow;
  std::vector<int> m_block_of;
  std::vector<int> m_readers;
  std::vector<std::size_t> m_reader;  ///< the last one
};

}  // namespace

bool isImageNorm(const ExportedGraph& graph, const ExportedNode& node) {
  if (node.target != "aten.batch_norm.default" || !valueAt(node, "weight") || !valueAt(node, "bias")) return false;
  const ExportedArgument* const training = argumentOf(node, "training");
  const auto* const trains = training ? std::get_if<bool>(training) : nullptr;
  const std::optional<ValueId> input = valueAt(node, "input");
  return trains != nullptr && *trains && input && graph.value(*input).sizes.size() == kImageDimensions &&
         graph.value(*input).type == ScalarKind::Float32;
}

bool hasImageNorms(const ExportedGraph& graph) {
  return std::ranges::any_of(graph.nodes, [&](const ExportedNode& node) { return isImageNorm(graph, node); });
}

std::vector<FusedNorm> fusedNormsOf(const ExportedGraph& graph, const ExportedBlocks& blocks) {
  return NormFinder(graph, blocks).find();
}

}  // namespace lanelab
