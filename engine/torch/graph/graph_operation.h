// SPDX-License-Identifier: GPL-3.0-only
// What a lane does for one node of an exported graph: mostly a boxed call; random calls are its own, so that a
// run repeats bit for bit.
#pragma once

#include <ATen/core/Generator.h>

#include <cstdint>
#include <functional>

#include "engine/model/rules.h"
#include "engine/torch/graph/boxed_call.h"
#include "engine/torch/graph/graph_use.h"

namespace lanelab {

/// How a micro-batch goes through a graph.
struct GraphPass {
  bool training = true;
  std::uint64_t seed = 0;  ///< of the step and the micro-batch; every random call draws from a stream of its own
  std::int64_t batch = 1;  ///< samples
  /// Whether autograd may record it. A training pass that it does not record has gradients on all the same, below
  /// autograd's dispatch: some kernels, such as recurrent layers, compute other bits with gradients off.
  bool recorded = true;
  bool holds_sizes = false;  ///< what calls make is held against the sizes that the file declares
};

/// Does a node in one pass. The lane's thread only. Throws what the kernels throw.
using GraphOperation = std::function<void(GraphFrame& frame, const GraphPass& pass)>;

/// What the operations of a graph share.
struct OperationOptions {
  CallTarget target;
  at::Generator generator;
  std::uint64_t stream = 0;  ///< of the graph's random numbers: a nested graph has one of its own
  std::string batch_symbol;  ///< of the sizes that depend on the batch
  GraphUse use = GraphUse::Training;
  Rules rules = Rules::all();
};

/// Empty where nothing is left to do: assertions about types and devices, which a lane may choose differently. `number`
/// is the node's within its graph, from which random calls make their stream: the same node draws the same numbers
/// wherever it is computed. Throws std::runtime_error with a sentence where the node cannot be run.
GraphOperation operationFor(const ExportedNode& node, std::size_t number, const OperationOptions& options);

/// A generator of the device for random calls.
at::Generator generatorOn(at::Device device);

}  // namespace lanelab
