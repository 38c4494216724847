// What of an experiment this machine cannot do, or does badly.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/run/executor.h"

namespace lanelab {

/// Every device a lane may name here: one a CPU core, one a GPU.
std::vector<DeviceInfo> devicesHere();

/// Missing devices and more threads than cores.
Status checkLanes(const std::vector<LaneConfig>& lanes, std::vector<std::string>& warnings);

}  // namespace lanelab
