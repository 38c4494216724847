// SPDX-License-Identifier: GPL-3.0-only
// Arguments that a call must have, for calls that are not boxed: std::runtime_error with a sentence that names the call
// where the file lacks one.
#pragma once

#include <string>

#include "engine/exported/graph/node_arguments.h"

namespace lanelab {

/// "aten.dropout.default of module layers.3 (net.py:12): WHY".
[[noreturn]] void refuseCall(const ExportedNode& node, const std::string& why);

ValueId requiredValue(const ExportedNode& node, const std::string& name);
double requiredNumber(const ExportedNode& node, const std::string& name);

}  // namespace lanelab
