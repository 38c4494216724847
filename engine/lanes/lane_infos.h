// SPDX-License-Identifier: GPL-3.0-only
// An experiment's lanes as traces name them.
#pragma once

#include <vector>

#include "engine/experiment/lane_cores.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Title, different from those of the others, and device of each lane, in the experiment's order.
inline std::vector<LaneInfo> laneInfos(const std::vector<LaneConfig>& lanes) {
  std::vector<LaneInfo> infos;
  const std::vector<std::string> titles = laneTitles(lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) infos.push_back({titles[i], toString(lanes[i].device)});
  return infos;
}

}  // namespace lanelab
