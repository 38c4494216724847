// SPDX-License-Identifier: GPL-3.0-only
// Operators that LaneLab cannot run, found by their names without libtorch: those that exist in Python only. Pure
// function, linear in the graph.
#pragma once

#include "base/result.h"
#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// BadInput names the first call of such an operator, also in a nested graph, with its module and source line. An
/// operator of PyTorch that this libtorch lacks is found only when it is run.
Status refusePythonOperators(const ExportedGraph& graph);

}  // namespace lanelab
