// SPDX-License-Identifier: GPL-3.0-only
// What autograd saves of a call for its backward pass, by rules for the operators of ATen on CPU lanes, as
// torch/csrc/autograd/derivatives.yaml has them. tests/oracle compares them with PyTorch. Pure functions.
#pragma once

#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/exported/operators/sample_sizes.h"
#include "engine/exported/tensor_memory.h"
#include "engine/model/tensor_program.h"

namespace lanelab {

struct SavedTensors {
  std::vector<ValueId> values;  ///< what it reads or makes, also weights and twice
  SavedBesides made;
  bool known = true;  ///< false: there is no rule, and all that it reads and makes is counted
};

/// Nothing if no gradient flows through the call.
SavedTensors savedBy(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes,
                     const TensorMemory& memory);

}  // namespace lanelab
