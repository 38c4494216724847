// SPDX-License-Identifier: GPL-3.0-only
// From what was measured of a model's blocks to what they cost at any micro-batch size.
#pragma once

#include <vector>

#include "engine/placement/block_profile.h"
#include "engine/schedule/list_simulation.h"
#include "engine/schedule/schedule.h"
#include "engine/sim/cost_model.h"

namespace lanelab {

/// How the backwards of a step are done. Input and weight part together take longer than the whole backward.
enum class Backwards { Whole, Parts };

/// Costs of a micro-batch of `samples`: as measured at that size, on the line between the two measured sizes around it,
/// and beyond them on the line through the nearest two (one size alone: in proportion), never below a tenth of
/// proportion. A profile without sizes gives no blocks.
///
/// The blocks of a direction are scaled so that they add up to the median of the whole chain, without the one action's
/// overhead within it. With Backwards::Parts the backward is the sum of its parts, where both were measured; else the
/// weight part is its share of the whole backward. Contention is the measured slowdown, spread over the other lanes.
CostModel costsAt(const BlockProfile& profile, int samples, Backwards backwards = Backwards::Whole);

/// How much slower than `base` the lane is that `other` was measured on, for micro-batches of `samples`; 1 where
/// nothing is known.
double slownessOf(const BlockProfile& base, const BlockProfile& other, int samples);

/// Costs of lanes that each have a profile, all of one model: the first gives the times, the others how much slower
/// their lanes are. At least one, with sizes.
CostModel costsOnLanes(const std::vector<const BlockProfile*>& of_lane, int samples, Backwards backwards);

/// The same costs where blocks compute this part of their forward again, 0 to 1 (VariantPlan::forward_again): their
/// backwards, or input parts, take it on top.
CostModel recomputing(CostModel costs, const std::vector<double>& forward_again);

/// In the whole numbers that schedule generators plan with: one a stage, lanes' slowness included; the unit is a
/// millionth of a micro-batch's time in all stages together. `stages` are of the costs' blocks.
std::vector<StageTimes> stageTimesOf(const CostModel& costs, const std::vector<Stage>& stages);

}  // namespace lanelab
