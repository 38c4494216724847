// SPDX-License-Identifier: GPL-3.0-only
// Where a variant can be cut: its stages' lanes, its blocks as a partition problem, and what its step takes with other
// cuts. Pure functions; seconds.
#pragma once

#include <string>
#include <vector>

#include "engine/advise/step_predictor.h"
#include "engine/placement/cut_search.h"
#include "engine/placement/partition.h"

namespace lanelab {

/// The lane of each stage that cuts may give the variant: as its schedule goes round its lanes, else one a lane in
/// their order; of replicas those of the first one.
std::vector<LaneId> stageLanesOf(const ResolvedVariant& variant);

/// Its chain over those lanes, without limits of memory.
PartitionProblem partitionProblemOf(const ResolvedVariant& variant, const StepPredictor& predictor);

/// Names of the blocks before which it is cut.
std::vector<std::string> namesOf(const ModelSpec& model, const std::vector<BlockId>& cuts);

/// The variant with these cuts on stageLanesOf().
VariantConfig withCuts(const ResolvedVariant& variant, const std::vector<std::string>& cuts);

/// What its step is predicted to take, in its own window; infinite where it cannot run, or not within the limits of its
/// lanes.
double secondsWithinLimits(const ResolvedVariant& variant, const StepPredictor& predictor);

/// The cuts with the shortest one, looked for from `start` on. Takes less than a second: 0.7 s for 16 stages of 52
/// blocks.
FastestCut fastestCutOf(const ResolvedVariant& variant, const StepPredictor& predictor,
                        const std::vector<BlockId>& start);

}  // namespace lanelab
