// SPDX-License-Identifier: GPL-3.0-only
// What an executor knows of a device that a lane may name.
#pragma once

#include <cstdint>
#include <string>

#include "engine/experiment/device.h"

namespace lanelab {

struct DeviceInfo {
  Device device;
  std::string description;        ///< "core 0 of AMD EPYC", "NVIDIA H200, 139.8 GiB"
  std::int64_t memory_bytes = 0;  ///< that tensors on it may take; all CPU lanes share theirs. 0: not known
  std::string limits = {};        ///< of power and clocks, as a GPU's driver reports them; empty for cores
  bool operator==(const DeviceInfo&) const = default;
};

}  // namespace lanelab
