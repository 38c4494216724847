// SPDX-License-Identifier: GPL-3.0-only
// Which modules of a network a stage has, by their dotted names. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/exported/exported_network.h"
#include "engine/placement/placement.h"

namespace lanelab {

/// In the order of the blocks: a block that is a module by its name, others by the modules in them. Error (BadInput): a
/// cut within a module.
Result<std::vector<std::vector<std::string>>> stageModules(const ExportedNetwork& network, const ModelSpec& model,
                                                           const std::vector<Stage>& stages);

}  // namespace lanelab
