// SPDX-License-Identifier: GPL-3.0-only
// An experiment's lanes as traces name them.
#pragma once

#include <vector>

#include "engine/experiment/experiment.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Title and device of each lane, in the experiment's order.
inline std::vector<LaneInfo> laneInfos(const std::vector<LaneConfig>& lanes) {
  std::vector<LaneInfo> infos;
  for (const LaneConfig& lane : lanes) infos.push_back({lane.title(), toString(lane.device)});
  return infos;
}

}  // namespace lanelab
