// SPDX-License-Identifier: GPL-3.0-only
// The parts of a lane that its strategy works with.
#pragma once

#include "engine/torch/devices/device_lane.h"
#include "engine/torch/lanes/lane_stages.h"
#include "engine/torch/record/replica_spans.h"

namespace lanelab {

/// All outlive the strategy.
struct LaneParts {
  const TrainingJob& job;
  LaneId lane;
  int replica = 0;  ///< that the lane works for
  LaneStages& stages;
  DeviceLane& device;
  ReplicaSpans& spans;  ///< of what the lane does for its replica
};

}  // namespace lanelab
