// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/recompute_costs.h"

namespace lanelab {

CostModel recomputing(CostModel costs, const std::vector<Stage>& stages, const std::vector<bool>& recompute) {
  for (const Stage& stage : stages) {
    if (stage.id.index() >= recompute.size() || !recompute[stage.id.index()]) continue;
    for (std::size_t i = stage.first.index(); i < stage.end.index(); ++i)
      costs.blocks[i].backward += costs.blocks[i].forward;
  }
  return costs;
}

}  // namespace lanelab
