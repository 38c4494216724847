// SPDX-License-Identifier: GPL-3.0-only
// Single arguments of a node, for calls that are not boxed. Those that are required throw std::runtime_error with a
// sentence that names the call.
#pragma once

#include <optional>
#include <string>

#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// "aten.dropout.default of module layers.3 (net.py:12): WHY".
[[noreturn]] void refuseCall(const ExportedNode& node, const std::string& why);

ValueId requiredValue(const ExportedNode& node, const std::string& name);
std::optional<ValueId> valueOr(const ExportedNode& node, const std::string& name);
double requiredNumber(const ExportedNode& node, const std::string& name);
std::optional<double> numberOr(const ExportedNode& node, const std::string& name);
bool flagOr(const ExportedNode& node, const std::string& name, bool otherwise);

}  // namespace lanelab
