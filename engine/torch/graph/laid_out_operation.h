// SPDX-License-Identifier: GPL-3.0-only
// Values of a graph in the memory layout in which it was exported (engine/exported/exported_layout.h).
#pragma once

#include <string>
#include <vector>

#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// The tensor in memory of its own with the strides that the file has for it at this batch: itself, or a copy under
/// autograd.
at::Tensor inExportedLayout(const at::Tensor& tensor, const ExportedValue& value, const std::string& batch_symbol,
                            std::int64_t batch);

/// The operation, and then these of its results in their exported layout. The graph must outlive it.
GraphOperation laidOut(GraphOperation operation, const ExportedGraph& graph, std::vector<ValueId> results,
                       const std::string& batch_symbol);

}  // namespace lanelab
