// SPDX-License-Identifier: GPL-3.0-only
// An experiment's lanes as traces name them.
#pragma once

#include <vector>

#include "engine/experiment/experiment.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Title and device of each lane, in the experiment's order.
std::vector<LaneInfo> laneInfos(const std::vector<LaneConfig>& lanes);

}  // namespace lanelab
