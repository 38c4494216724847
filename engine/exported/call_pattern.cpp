// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/call_pattern.h"

#include <algorithm>

#include "engine/exported/operators/operator_traits.h"

namespace lanelab {

bool isWholeSum(const ExportedNode& node) { return numberOr(node, "alpha").value_or(1) == 1; }

const ExportedNode* CallPattern::take(std::optional<ValueId> value, std::string_view target) {
  if (!value) return nullptr;
  const int maker = m_flow.makers[value->index()];
  if (maker == ValueFlow::kInput) return nullptr;
  const ExportedNode& node = m_graph.nodes[static_cast<std::size_t>(maker)];
  if (node.target != target || node.outputs.size() != 1 || !isWholeSum(node)) return nullptr;
  m_nodes.push_back(static_cast<std::size_t>(maker));
  return &node;
}

std::optional<ValueId> CallPattern::uncast(std::optional<ValueId> value) {
  const ExportedNode* const cast = take(value, "aten.to.dtype");
  if (!cast) return value;
  const std::optional<ValueId> before = valueOr(*cast, "self");
  return before && m_graph.value(*before).type == m_graph.value(*value).type ? before : std::nullopt;
}

std::vector<std::size_t> CallPattern::nodes() const {
  std::vector<std::size_t> sorted = m_nodes;
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

CallSurroundings::CallSurroundings(const ExportedGraph& graph, const ExportedBlocks& blocks)
    : m_graph(graph),
      m_flow(blocks.flow),
      m_block_of(blockOfNodes(graph, blocks)),
      m_readers(graph.values.size()),
      m_writers(graph.values.size()) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const ValueId value : m_flow.written[i]) m_writers[m_flow.storages[value.index()]].push_back(i);
    if (isCheck(graph.nodes[i])) continue;
    for (const ValueId value : valuesRead(graph.nodes[i])) m_readers[value.index()].push_back(i);
  }
  for (const ValueId value : graph.outputs) m_readers[value.index()].push_back(graph.nodes.size());
}

bool CallSurroundings::isWritten(ValueId value, std::size_t first, std::size_t last) const {
  const std::vector<std::size_t>& writers = m_writers[m_flow.storages[value.index()]];
  const auto next = std::ranges::upper_bound(writers, first);
  return next != writers.end() && *next < last;
}

bool CallSurroundings::areInOneBlock(const std::vector<std::size_t>& nodes) const {
  const std::optional<BlockId> block = m_block_of[nodes.front()];
  return block && std::ranges::all_of(nodes, [&](std::size_t i) { return m_block_of[i] == block; });
}

bool CallSurroundings::isOnlyReadBy(const std::vector<std::size_t>& nodes, ValueId value) const {
  return std::ranges::all_of(readersOf(value),
                             [&](std::size_t reader) { return std::ranges::binary_search(nodes, reader); });
}

bool CallSurroundings::canBeOne(const std::vector<std::size_t>& nodes, const std::vector<ValueId>& makes,
                                std::size_t end) const {
  return areInOneBlock(nodes) && std::ranges::all_of(nodes, [&](std::size_t i) {
           const ValueId made = *m_graph.nodes[i].outputs.front();
           const bool is_outside = std::ranges::find(makes, made) != makes.end();
           return !isWritten(made, i, end) && (is_outside || isOnlyReadBy(nodes, made));
         });
}

}  // namespace lanelab
