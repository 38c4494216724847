// SPDX-License-Identifier: GPL-3.0-only
// torchvision's ResNets and the networks of the PyTorch tutorial as graphs. Pure; any thread.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/exported/exported_network.h"
#include "engine/model/module_tree.h"

namespace lanelab {

/// Blocks are "stem", "layerL.B" and "head" of a ResNet, the layers of the toy, and all of `linear`. Errors (BadInput):
/// those of checkArchitecture().
Result<std::shared_ptr<const ExportedNetwork>> builtNetwork(const std::string& arch, int classes, const Shape& input);

/// The modules, fp32, with torchvision's and the tutorials' names and classes. Errors (BadInput): unknown arch, classes
/// below 1.
Result<ModuleTree> treeOfModel(const std::string& arch, int classes);

}  // namespace lanelab
