// SPDX-License-Identifier: GPL-3.0-only
// Calls whose backward can be split: the gradient of the input now, those of weight and bias later
// (engine/torch/nn/deferred_weights.h).
//
// Convolutions and products with a parameter: conv2d, linear, addmm. What they compute, whole or split, is what
// PyTorch's autograd computes (torch/csrc/autograd/FunctionsManual.cpp), by the same calls.
#pragma once

#include <memory>

#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// Null for calls that cannot be split, or not of a parameter of the graph: all of their backward is in the input part.
std::unique_ptr<GraphOperation> splitOperationFor(const ExportedGraph& graph, const ExportedNode& node);

/// For a call whose backward stays whole: null, but for convolutions whose gradient PyTorch computes wrong on a CPU.
std::unique_ptr<GraphOperation> wholeOperationFor(const ExportedGraph& graph, const ExportedNode& node);

}  // namespace lanelab
