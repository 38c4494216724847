// SPDX-License-Identifier: GPL-3.0-only
// A device map as tables: what lies where, in the network's order, and how full each device is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/placement/device_map.h"

namespace lanelab {

/// One entry of a map.
struct MapEntry {
  std::string path;        ///< "" is the whole network
  std::string class_name;  ///< "Parameter" or "Tensor" where a module was split down to its tensors
  MapDevice device;
  std::int64_t bytes = 0;  ///< without what lies in it and has an entry of its own, as a person may write
};

/// What one device holds.
struct MapShare {
  MapDevice device;
  std::int64_t held = 0;
  std::size_t entries = 0;
  std::optional<std::int64_t> limit;  ///< that the map was made with, after balancing; none: no end, or not known
};

struct MapTable {
  std::vector<MapEntry> entries;  ///< in order of registration
  std::vector<MapShare>
      devices;             ///< GPUs by number and CPU, where they have a limit or hold something; the disk always, last
  std::int64_t total = 0;  ///< bytes of the network
};

MapTable mapTable(const ModuleTree& tree, const DeviceMap& map, const MemoryLimits& limits);

/// RFC 4180: module, class, device, bytes; a row an entry.
std::string mapCsv(const MapTable& table);

}  // namespace lanelab
