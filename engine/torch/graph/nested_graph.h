// SPDX-License-Identifier: GPL-3.0-only
// A graph within a graph: calls between torch.no_grad() and its end, as torch.export writes them.
#pragma once

#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// higher_order.wrap_with_set_grad_enabled(enabled, graph, inputs...). Throws std::runtime_error with a sentence where
/// it, or a node within, cannot be run.
GraphOperation nestedFor(const ExportedNode& node, std::size_t number, const OperationOptions& options);

}  // namespace lanelab
