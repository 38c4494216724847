// SPDX-License-Identifier: GPL-3.0-only
// What it costs that some stages keep no activations.
#pragma once

#include <vector>

#include "engine/placement/placement.h"
#include "engine/sim/cost_model.h"

namespace lanelab {

/// The same costs where these stages (by number) compute their activations again: their blocks' backwards, or input
/// parts, take the forward's time on top.
CostModel recomputing(CostModel costs, const std::vector<Stage>& stages, const std::vector<bool>& recompute);

}  // namespace lanelab
