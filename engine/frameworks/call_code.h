// SPDX-License-Identifier: GPL-3.0-only
// A call of an exported graph as a line of Python, such as "relu_3 = aten.relu_.default(batch_norm_3)". Pure; any
// thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// The Python expression of each value of a graph: a local name, a member of self, or an integer that follows from the
/// batch.
using ValueTexts = std::vector<std::string>;

/// Local names of all values, with `prefix` before them; integers that follow from the batch are
/// their formulas. Tensors of self are the caller's.
ValueTexts valueTexts(const ExportedGraph& graph, const std::string& prefix = {});

/// "input", "kernel_size=[3, 3]", ... of the arguments of a call.
std::vector<std::string> argumentTexts(const ExportedNode& node, const ValueTexts& texts);

/// Lines without indentation, one for most calls. Errors (BadInput): an operator that is none of ATen.
Result<std::vector<std::string>> callLines(const ExportedNode& node, const ValueTexts& texts);

/// What the lines of a stage use beside torch, torch.nn and aten.
inline constexpr const char* kDeviceText = "device";

}  // namespace lanelab
