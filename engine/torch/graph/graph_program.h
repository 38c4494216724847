// SPDX-License-Identifier: GPL-3.0-only
// Nodes of an exported graph in the order in which a lane does them. Values leave a pass with their last use, as in
// eager mode, so that autograd alone decides what stays.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/torch/graph/declared_sizes.h"
#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// What makes a node's operation in place of the usual one; empty: the usual one.
using OperationChoice = std::function<GraphOperation(std::size_t node)>;

/// By node, others that its operation does, too.
using NodesTogether = std::map<std::size_t, std::vector<std::size_t>>;

/// The lane's thread only; the graph must outlive it.
class GraphProgram {
 public:
  /// `nodes` in ascending order; `kept`: values that somebody takes after the pass. Nodes whose results are known sizes
  /// are left out. Throws std::runtime_error with a sentence where a node cannot be run.
  GraphProgram(const ExportedGraph& graph, const std::vector<std::size_t>& nodes, const std::set<ValueId>& kept,
               const OperationOptions& options, const OperationChoice& choice = {}, const NodesTogether& together = {});

  /// A frame with the known sizes; the caller puts inputs and weights. Throws std::runtime_error where a size does not
  /// exist for this batch.
  GraphFrame frameFor(const GraphPass& pass) const;
  std::size_t steps() const { return m_steps.size(); }
  std::size_t nodeOf(std::size_t step) const { return m_steps[step].node; }
  void run(std::size_t step, GraphFrame& frame, const GraphPass& pass) const;

 private:
  struct Step {
    std::size_t node = 0;
    GraphOperation operation;
    std::vector<ValueId> done_with;  ///< values that no later step needs
  };

  const ExportedGraph& m_graph;
  const std::string m_batch_symbol;
  /// Numbers that the file knows by the batch, such as sizes and what is computed of them.
  const std::map<ValueId, SizeExpression> m_sizes;
  DeclaredSizes m_declared;
  std::vector<Step> m_steps;
};

}  // namespace lanelab
