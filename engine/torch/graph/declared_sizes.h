// SPDX-License-Identifier: GPL-3.0-only
// Holds what calls make against the sizes that the file declares, from which memory is forecast: a file that lies about
// them would take more than the forecast and the limits say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// Of one graph, which must outlive it.
class DeclaredSizes {
 public:
  DeclaredSizes(const ExportedGraph& graph, std::string batch_symbol);

  /// Throws std::runtime_error with a sentence where a result of the call that is read has other sizes than declared:
  /// of some calls, such as those of recurrent layers, PyTorch declares others for results that nobody reads.
  void hold(const ExportedNode& node, GraphFrame& frame, std::int64_t batch) const;
  /// Bytes of the largest tensor at this batch.
  std::int64_t largestBytes(std::int64_t batch) const;

 private:
  const ExportedGraph& m_graph;
  std::string m_batch_symbol;
  std::vector<bool> m_read;  ///< of each value: a call or the caller reads it
};

}  // namespace lanelab
