// SPDX-License-Identifier: GPL-3.0-only
// Which weights of an exported network are one tensor. Pure function.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// Of each parameter, buffer and constant: equal numbers are the same view of the same record.
std::map<ValueId, int> weightTiesOf(const ExportedProgram& program);

/// Of each parameter, buffer and constant, the name under which it is held: for parameters that are one tensor, and for
/// buffers (of a module that has two names), the first of their names.
std::map<ValueId, std::string> heldNames(const ExportedProgram& program);

/// Parameters that these nodes read more than once between them, under one name or several.
std::set<ValueId> readAgain(const ExportedProgram& program, const std::vector<std::size_t>& nodes);

}  // namespace lanelab
