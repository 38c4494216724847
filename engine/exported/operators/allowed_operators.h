// SPDX-License-Identifier: GPL-3.0-only
// Which operators of a graph LaneLab runs. A .pt2 file may come from anybody, and PyTorch's dispatcher has operators
// that map files, exchange a tensor's storage or read past an end. So there is a list of those that are run, found by
// their names without libtorch. Pure functions, linear in the graph.
//
// On the list are operators of ATen that compute new tensors from tensors and check what they read, and their forms in
// place. A test holds the list to PyTorch's schemas.
#pragma once

#include <string_view>

#include "base/result.h"
#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// Of the operator's name without namespace and overload: "relu_", "add".
bool isAllowedOperator(std::string_view name);

/// BadInput names the first call that is not run, also in a nested graph, with its module and source line: an operator
/// that exists in Python only, one that is not on the list, or a text where none is expected. An operator of PyTorch
/// that this libtorch lacks is found only when it is run.
Status refuseOperators(const ExportedGraph& graph);

}  // namespace lanelab
