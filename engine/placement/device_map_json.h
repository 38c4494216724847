// SPDX-License-Identifier: GPL-3.0-only
// A device map as text for programs.
#pragma once

#include <string>

#include "engine/placement/device_map.h"

namespace lanelab {

/// {"device_map": {"layer1": 0, "fc": "cpu"}, "max_memory": {"0": 52417256}} on one line: GPUs as whole numbers; the
/// limits in bytes that were used.
std::string deviceMapJson(const DeviceMap& map, const MemoryLimits& limits);

/// {"layer1": 0, "fc": "cpu"}, an entry a line: as from_pretrained and dispatch_model take it.
std::string placesJson(const DeviceMap& map);

}  // namespace lanelab
