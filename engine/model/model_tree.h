// SPDX-License-Identifier: GPL-3.0-only
// The module trees of the networks that LaneLab knows, with torchvision's and the tutorial's names and classes.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/model/module_tree.h"

namespace lanelab {

/// resnet18 to resnet152, toy, and linear of its tutorial's five numbers, fp32. Errors (BadInput): another arch, named
/// with the nearest; classes below 1.
Result<ModuleTree> treeOfModel(const std::string& arch, int classes);

}  // namespace lanelab
