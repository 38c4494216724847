// SPDX-License-Identifier: GPL-3.0-only
// Which values of an exported graph are views of which others, and which need gradients, when it is trained from its
// parameters on. Pure function, linear in the graph.
#pragma once

#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/exported/operators/sample_sizes.h"

namespace lanelab {

struct TensorMemory {
  std::vector<ValueId> bases;   ///< of each value: the first one in its memory; itself if it is no view
  std::vector<bool> gradient;   ///< of each value: whether autograd follows it
  std::vector<bool> of_weight;  ///< of each value: whether its base is a parameter, buffer or constant
};

/// Unlike valueFlowOf(), reshape() and the like are views only if the exported strides allow it.
TensorMemory tensorMemoryOf(const ExportedGraph& graph, const SampleSizes& sizes);

}  // namespace lanelab
