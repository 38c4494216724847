// SPDX-License-Identifier: GPL-3.0-only
#include "engine/lanes/lane_infos.h"

namespace lanelab {

std::vector<LaneInfo> laneInfos(const std::vector<LaneConfig>& lanes) {
  std::vector<LaneInfo> infos;
  for (const LaneConfig& lane : lanes) infos.push_back({lane.title(), toString(lane.device)});
  return infos;
}

}  // namespace lanelab
