// SPDX-License-Identifier: GPL-3.0-only
// What a map may fill at first: the lanes of the experiment stand for GPUs, in their order, each with its part of what
// its device has.
#pragma once

#include <vector>

#include "engine/lanes/executor.h"
#include "ui/device_map/limit_fields.h"

namespace lanelab {

/// A lane each. Lanes that share a memory share it equally; where its size is not known, the field stays empty.
std::vector<LimitFields::Gpu> gpusOfLanes(const std::vector<LaneConfig>& lanes, const std::vector<DeviceInfo>& devices);

/// The machine's memory where no lane has it, else empty.
QString cpuBesideLanes(const std::vector<LaneConfig>& lanes, const std::vector<DeviceInfo>& devices);

}  // namespace lanelab
