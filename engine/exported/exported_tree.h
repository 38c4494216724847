// SPDX-License-Identifier: GPL-3.0-only
// The module tree of an exported network, as the network had it: what a device map is made for. Pure function.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/exported/graph/exported_graph.h"
#include "engine/model/module_tree.h"

namespace lanelab {

/// Modules in the order in which they were registered, with all parameters and buffers, ties included. The class of a
/// module that is never called itself (ModuleList), or computes nothing, is not in the file: it is `uncalled`. Types
/// that ElementType lacks become one of as many bytes. Errors (BadInput) begin with `place`: modules nested too deeply.
Result<ModuleTree> treeOfExported(const ExportedProgram& program, const std::string& place,
                                  const std::string& uncalled = "");

}  // namespace lanelab
