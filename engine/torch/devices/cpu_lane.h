// SPDX-License-Identifier: GPL-3.0-only
// A lane of CPU cores: a pinned thread with its own number of intra-op threads and its own memory account.
#pragma once

#include <memory>

#include "engine/experiment/lane_cores.h"
#include "engine/torch/devices/device_lane.h"

namespace lanelab {

/// Turns the calling thread into the lane's: it must come before the thread's first torch call, since OpenMP's workers
/// inherit its cores.
std::unique_ptr<DeviceLane> makeCpuLane(const CoreGroup& cores);

}  // namespace lanelab
