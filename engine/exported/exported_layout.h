// SPDX-License-Identifier: GPL-3.0-only
// Which values must be laid out in memory as they were when the network was exported. Pure function, linear in the
// graph.
//
// A lane may hold tensors in another memory format, such as channels_last. There view(), flatten() and the like copy
// where they are views in eager mode, and what is written to the one is missing in the other
// (pytorch/pytorch issue 61982); as_strided() reads other elements.
#pragma once

#include <set>

#include "engine/exported/graph/exported_graph.h"
#include "engine/exported/value_flow.h"

namespace lanelab {

/// The first value of each memory that is written to and viewed by calls that may copy, or that as_strided() reads.
/// Weights are not among them.
std::set<ValueId> valuesInExportedLayout(const ExportedGraph& graph, const ValueFlow& flow);

}  // namespace lanelab
