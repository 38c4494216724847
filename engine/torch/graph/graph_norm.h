// SPDX-License-Identifier: GPL-3.0-only
// Batch norms of an exported graph: what becomes of their running statistics is the stage's choice, not the graph's.
//
// A graph that was exported in training counts its batches and moves its statistics in every forward. Here the count is
// left out of the graph, and both belong to the layer (norm_layer.h).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/exported/norm_chains.h"
#include "engine/exported/value_flow.h"
#include "engine/torch/graph/graph_operation.h"
#include "engine/torch/nn/norm_layer.h"

namespace lanelab {

/// A call of batch_norm, and what is done with it. The lane's thread only.
class GraphNorm {
 public:
  /// Throws std::runtime_error with a sentence where the call lacks an argument.
  explicit GraphNorm(const ExportedNode& node);

  void run(GraphFrame& frame, const GraphPass& pass);
  /// In training by the fused kernels where they take the input (Rule::FusedNorm).
  void fuse() { m_layer.fused = true; }
  /// What it makes is made again in the backward (Rule::RemadeActivation).
  void remake() { m_layer.remakes = true; }
  /// With what follows it, which makes `output`.
  void follow(const NormChain& chain, ValueId output);
  /// Null where the call has no running statistics, or leaves them alone in training, too.
  NormLayer* layer() { return m_moves ? &m_layer : nullptr; }
  /// The buffer that counts its batches.
  void countIn(ValueId count) { m_count = count; }
  std::optional<ValueId> runningMean() const { return m_mean; }

 private:
  ValueId m_input;
  std::optional<ValueId> m_weight, m_bias, m_mean, m_var, m_count;
  ValueId m_output;
  std::optional<ValueId> m_beside;
  NormActivation m_activation = NormActivation::None;
  bool m_training, m_moves;
  NormLayer m_layer{};
};

bool isBatchNorm(const ExportedNode& node);

/// Of each call that only counts the batches of a batch norm, the buffer of the count, by the call's place in `nodes`;
/// nothing for other calls. Throws std::runtime_error with a sentence where a call writes to the memory of a buffer,
/// parameter or constant in another way, also by a view or without gradients, which repeated and evaluated forwards
/// could not leave out.
std::vector<std::optional<ValueId>> batchCounts(const ExportedGraph& graph, const ValueFlow& flow,
                                                const std::vector<std::size_t>& nodes, GraphUse use);

/// The count that belongs to these running statistics, by its name; nothing where they are not counted.
std::optional<ValueId> countBeside(const ExportedGraph& graph, ValueId running_mean);

}  // namespace lanelab
