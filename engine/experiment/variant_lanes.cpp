// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/variant_lanes.h"

#include <algorithm>

namespace lanelab {

std::vector<LaneId> variantLanes(const Experiment& experiment, const VariantConfig& variant) {
  const auto count = static_cast<int>(experiment.lanes.size());
  std::vector<LaneId> lanes;
  if (variant.lanes) {
    for (const int lane : *variant.lanes) {
      if (lane >= 0 && lane < count) lanes.emplace_back(lane);
    }
  } else {
    for (int lane = 0; lane < count; ++lane) lanes.emplace_back(lane);
  }
  return lanes;
}

bool checkVariantLanes(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
                       Problems& problems) {
  if (experiment.lanes.empty()) return false;
  if (!variant.lanes) return true;
  const std::size_t before = problems.found.size();
  if (variant.lanes->empty())
    problems.add(where + ".lanes",
                 "The list of lanes is empty. Name at least one lane, or leave `lanes` out to use all.");
  for (std::size_t i = 0; i < variant.lanes->size(); ++i) {
    const int lane = (*variant.lanes)[i];
    const std::string place = where + ".lanes[" + std::to_string(i) + "]";
    if (lane < 0 || static_cast<std::size_t>(lane) >= experiment.lanes.size()) {
      problems.add(place, "There is no lane " + std::to_string(lane) + ": lanes are counted from 0 and there are " +
                              std::to_string(experiment.lanes.size()) + ".");
    } else if (std::find(variant.lanes->begin(), variant.lanes->begin() + static_cast<std::ptrdiff_t>(i), lane) !=
               variant.lanes->begin() + static_cast<std::ptrdiff_t>(i)) {
      problems.add(place, "Lane " + std::to_string(lane) + " is listed twice. Keep one.");
    }
  }
  return problems.found.size() == before;
}

}  // namespace lanelab
