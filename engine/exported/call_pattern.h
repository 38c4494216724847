// SPDX-License-Identifier: GPL-3.0-only
// Calls that lanes may do together: patterns, followed from their last call backwards, and who reads and writes around
// them. Plain values over a graph, which must outlive them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/exported/exported_blocks.h"
#include "engine/exported/graph/node_arguments.h"

namespace lanelab {

/// What a pattern met, from its result to what it reads.
class CallPattern {
 public:
  CallPattern(const ExportedGraph& graph, const ValueFlow& flow) : m_graph(graph), m_flow(flow) {}
  CallPattern(const ExportedGraph& graph, const ValueFlow& flow, std::size_t last) : CallPattern(graph, flow) {
    m_nodes.push_back(last);
  }

  /// The call that makes a value, and nothing else, which is now of the pattern; null if it is another, or a sum that
  /// scales an addend.
  const ExportedNode* take(std::optional<ValueId> value, std::string_view target);
  /// The other factor or addend, if one of both is as `isWanted` says, which may take calls.
  template <class IsWanted>
  std::optional<ValueId> beside(const ExportedNode& node, IsWanted isWanted) {
    const std::optional<ValueId> self = valueOr(node, "self"), other = valueOr(node, "other");
    if (!self || !other) return std::nullopt;
    for (const auto& [wanted, rest] : {std::pair(self, other), std::pair(other, self)}) {
      const std::size_t met = m_nodes.size();
      if (isWanted(*wanted)) return rest;
      m_nodes.resize(met);
    }
    return std::nullopt;
  }
  /// The value before it was given the type that it had.
  std::optional<ValueId> uncast(std::optional<ValueId> value);

  /// Places in ExportedGraph::nodes, ascending, each once.
  std::vector<std::size_t> nodes() const;

 private:
  const ExportedGraph& m_graph;
  const ValueFlow& m_flow;
  std::vector<std::size_t> m_nodes;
};

/// Whether a sum takes its second addend as it is.
bool isWholeSum(const ExportedNode& node);

/// Who reads the values of a graph, and who writes to them.
class CallSurroundings {
 public:
  CallSurroundings(const ExportedGraph& graph, const ExportedBlocks& blocks);

  /// Ascending, one for each time; calls that only check are none, and the user is behind the last call.
  const std::vector<std::size_t>& readersOf(ValueId value) const { return m_readers[value.index()]; }
  /// Whether a call between two places writes to a value's memory.
  bool isWritten(ValueId value, std::size_t first, std::size_t last) const;
  bool areInOneBlock(const std::vector<std::size_t>& nodes) const;
  /// Whether calls (ascending, of one result each) are in one block, nobody else reads what they make, but for `makes`,
  /// and nobody writes to it before `end`.
  bool canBeOne(const std::vector<std::size_t>& nodes, const std::vector<ValueId>& makes, std::size_t end) const;

 private:
  /// Whether nobody but these (ascending) reads a value.
  bool isOnlyReadBy(const std::vector<std::size_t>& nodes, ValueId value) const;

  const ExportedGraph& m_graph;
  const ValueFlow& m_flow;
  std::vector<std::optional<BlockId>> m_block_of;
  std::vector<std::vector<std::size_t>> m_readers;  ///< by value
  std::vector<std::vector<std::size_t>> m_writers;  ///< by storage, ascending
};

}  // namespace lanelab
