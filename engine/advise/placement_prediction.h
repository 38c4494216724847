// SPDX-License-Identifier: GPL-3.0-only
// What a step of a variant would take if it ran as it is placed: for a board on which blocks are being moved, many
// times a second. Pure functions; seconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/advise/block_times.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

struct PlacementPrediction {
  double step_seconds = 0;  ///< in the variant's own window: the period where its steps overlap
  double bubble = 0;        ///< fill and drain, of the windows of all lanes that have work: BubbleShares::of_total
  double idle = 0;          ///< all idle time, of the same
  WindowKind window = WindowKind::Step;
  bool operator==(const PlacementPrediction&) const = default;
};

/// Nothing for a variant without a plan, and for block times of another model. Exchange of gradients between replicas
/// is not in it. Takes n log n for n actions.
std::optional<PlacementPrediction> predictPlacement(const ResolvedVariant& variant, const BlockTimes& times);

/// The first block of each next stage, of the cut that makes the slowest lane as fast as possible, provably: as many
/// stages as the variant's lanes take, in the lanes' order; of replicas those of each. BadInput: a variant whose lanes
/// hold one stage, more stages than blocks, block times of another model.
Result<std::vector<std::string>> balancedCuts(const ResolvedVariant& variant, const BlockTimes& times);

}  // namespace lanelab
