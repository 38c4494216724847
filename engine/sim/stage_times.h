// SPDX-License-Identifier: GPL-3.0-only
// Measured costs in the whole numbers that schedule generators plan with.
#pragma once

#include <vector>

#include "engine/placement/placement.h"
#include "engine/schedule/list_simulation.h"
#include "engine/sim/cost_model.h"

namespace lanelab {

/// One a stage, lanes' slowness included; the unit is a millionth of a micro-batch's time in all stages together.
/// `stages` are of the costs' blocks.
std::vector<StageTimes> stageTimesOf(const CostModel& costs, const std::vector<Stage>& stages);

}  // namespace lanelab
