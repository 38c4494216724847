// SPDX-License-Identifier: GPL-3.0-only
// Calls whose backward can be split: the gradient of the input now, those of weight and bias later
// (engine/torch/nn/deferred_weights.h).
//
// Convolutions and products with a parameter: conv2d, linear, addmm. What they compute, whole or split, is what
// PyTorch's autograd computes (torch/csrc/autograd/FunctionsManual.cpp), by the same calls.
#pragma once

#include <memory>
#include <set>

#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// Null for calls that cannot be split, are not of a parameter of the graph, or of one that is `shared`: all of their
/// backward is in the input part. Shared are parameters that other calls of the stage read, too. Autograd adds up the
/// gradients of all uses within a micro-batch; a part of them left for later would be added to another sum, which
/// rounds differently.
std::unique_ptr<GraphOperation> splitOperationFor(const ExportedGraph& graph, const ExportedNode& node,
                                                  const std::set<ValueId>& shared);

/// For a call whose backward stays whole: null, but for convolutions whose gradient PyTorch computes wrong on a CPU.
std::unique_ptr<GraphOperation> wholeOperationFor(const ExportedGraph& graph, const ExportedNode& node);

}  // namespace lanelab
