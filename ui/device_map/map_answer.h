// What is asked of a device map, and what comes of it. Takes some milliseconds at most for the networks that people map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/plan/map_table.h"
#include "engine/plan/memory_limits.h"

namespace lanelab {

struct MapQuestion {
  MapPolicy policy = MapPolicy::Auto;
  MemoryLimits limits;
  std::vector<std::string> kept_whole;
  std::optional<ElementType> type;  ///< counted in it, where it is narrower than a tensor's own
};

struct MapAnswer {
  DeviceMap map;
  MapTable table;
  MemoryLimits given, balanced;
};

/// Errors are sentences with the mend; without any limit there is nothing to map to.
Result<MapAnswer> answerTo(const MapQuestion& question, const ModuleTree& tree);

}  // namespace lanelab
