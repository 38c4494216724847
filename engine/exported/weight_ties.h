// SPDX-License-Identifier: GPL-3.0-only
// Which weights of an exported network are one tensor. Pure function.
#pragma once

#include <map>

#include "engine/exported/exported_graph.h"

namespace lanelab {

/// Of each parameter, buffer and constant: equal numbers are the same view of the same record.
std::map<ValueId, int> weightTiesOf(const ExportedProgram& program);

}  // namespace lanelab
