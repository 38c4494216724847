// SPDX-License-Identifier: GPL-3.0-only
// Blocks in consecutive parts of about equal MACs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/model/model_spec.h"
#include "engine/placement/placement.h"

namespace lanelab {

/// The part of all MACs that lies before each block, and 1 at the end.
std::vector<double> startShares(const ModelSpec& model);

/// Cuts so that `parts` consecutive parts of [first, end) come nearest to equal MACs; none where there are too few
/// blocks.
std::vector<std::string> balancedCuts(const ModelSpec& model, std::size_t first, std::size_t end, std::size_t parts);

/// Consecutive blocks on each lane in turn, cut where the MACs before come nearest to equal parts.
Placement balancedPlacement(const ModelSpec& model, const std::vector<LaneId>& lanes);

}  // namespace lanelab
