// SPDX-License-Identifier: GPL-3.0-only
// How values of an exported graph depend on each other: which are needed once and cross cuts, which are computed again
// in each stage, and which share memory. Pure functions, linear in the graph.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

enum class NodeRole : unsigned char {
  Block,     ///< depends on parameters, on the user's tensor or on random numbers, or writes to what others read
  Repeated,  ///< masks, rotary tables, position ids: computed again in each stage that needs them
  Size,      ///< an integer that follows from the batch: ExportedValue::size
  Check      ///< an assertion: left out
};

struct ValueFlow {
  static constexpr int kInput = -1;  ///< for a maker

  std::vector<NodeRole> roles;                ///< of each node
  std::vector<int> makers;                    ///< of each value: its node, or kInput
  std::vector<bool> crosses;                  ///< of each value: made by a Block node, or the user's tensor
  std::vector<std::size_t> storages;          ///< of each value: equal numbers share memory, or may share it
  std::vector<std::vector<ValueId>> written;  ///< of each node: what it writes to, also by a nested graph
};

ValueFlow valueFlowOf(const ExportedGraph& graph);

}  // namespace lanelab
