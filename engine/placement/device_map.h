// SPDX-License-Identifier: GPL-3.0-only
// Which device holds which module of a network too large for one: the map that Hugging Face accelerate makes.
//
// Algorithm: accelerate 1.15.0, utils/modeling.py, infer_auto_device_map, with its defaults (no fallback allocation,
// buffers not offloaded) and its quirks, since a map is to be the same: greedy in order of registration, the first GPU
// and the CPU keep room for the largest layer that is left.
#pragma once

#include <compare>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/model/module_tree.h"
#include "engine/placement/memory_limits.h"

namespace lanelab {

/// A GPU by its number, the CPU or the disk.
struct MapDevice {
  enum class Kind : unsigned char { Gpu, Cpu, Disk };
  Kind kind = Kind::Gpu;
  int gpu = 0;                                         ///< 0 for the others
  auto operator<=>(const MapDevice&) const = default;  ///< GPUs by number, the CPU, the disk
};
std::string toString(MapDevice device);  ///< "0", "cpu", "disk"

struct DeviceMap {
  std::map<std::string, MapDevice>
      places;  ///< by path of a module, or of a tensor whose module was split; "" is the whole network
  std::vector<std::string>
      lost_buffers;  ///< of modules that were split: accelerate's maps leave them out (accelerate#4014)
};

/// `limits` as balancedMemory() gives them. Classes in `no_split` are kept whole. Error (Failed): a tie leads into a
/// module that was placed or split before, where accelerate raises. O(modules x splits).
Result<DeviceMap> inferDeviceMap(const ModuleTree& tree, const MemoryLimits& limits,
                                 std::span<const std::string> no_split);

}  // namespace lanelab
