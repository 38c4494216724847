// SPDX-License-Identifier: GPL-3.0-only
// What is asked of a device map, and what comes of it. Takes some milliseconds at most for the networks that people
// map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/placement/map_table.h"
#include "engine/placement/memory_limits.h"

namespace lanelab {

/// A map that a user wrote, by any program.
struct OwnMap {
  std::string name;  ///< of its file
  DeviceMap map;
};

struct MapQuestion {
  MapPolicy policy = MapPolicy::Auto;
  std::optional<OwnMap>
      own;  ///< in place of the policy: it is checked, and limits only tell how full it makes the devices
  MemoryLimits limits;
  std::vector<std::string> kept_whole;
  std::optional<ElementType> type;  ///< counted in it, where it is narrower than a tensor's own
};

struct MapAnswer {
  DeviceMap map;
  MapTable table;
  MemoryLimits given;  ///< before balancing
};

/// Errors are sentences with the fix; without any limit there is nothing to map to, and a map of one's own has to be
/// for the network.
Result<MapAnswer> answerTo(const MapQuestion& question, const ModuleTree& tree);

}  // namespace lanelab
