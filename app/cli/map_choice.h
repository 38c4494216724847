// SPDX-License-Identifier: GPL-3.0-only
// Where the modules of a network go: a policy or a map of one's own, limits, classes to keep whole. For the commands
// that make or use a device map.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"
#include "engine/model/module_tree.h"
#include "engine/placement/device_map.h"

namespace lanelab {

struct MapChoice {
  std::string policy;  ///< or a file with a map; "" where none was named
  std::vector<std::string> max_memory;
  std::vector<std::string> no_split;
};

/// --max-memory and --no-split; the command adds the policy under its own name.
void addMapOptions(const Command& command, MapChoice& choice);

struct ChosenMap {
  DeviceMap map;
  MemoryLimits limits;  ///< after balancing; none with a map of one's own
};

/// The map of a policy ("" is auto). Limits that are not given are what is free on this machine. Errors name the option
/// and the fix.
Result<ChosenMap> mapByPolicy(const ModuleTree& tree, const MapChoice& choice);
/// The same, or the map in the file that `policy` names.
Result<ChosenMap> mapByPolicyOrFile(const ModuleTree& tree, const MapChoice& choice);

}  // namespace lanelab
