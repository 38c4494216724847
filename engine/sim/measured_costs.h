// From what was measured of a model's blocks to what they cost at any micro-batch size.
#pragma once

#include <vector>

#include "engine/plan/block_profile.h"
#include "engine/sim/cost_model.h"

namespace lanelab {

/// Costs of a micro-batch of `samples`: as measured at that size, on the line between the two measured sizes around it, and beyond them on the line
/// through the nearest two (one size alone: in proportion), never below a tenth of proportion. A profile without sizes gives no blocks.
///
/// The blocks of a direction are scaled so that they add up to the median of the whole chain, without the one action's overhead within it. The weight
/// part is the share of the backward that it had where both parts were measured. Contention is the measured slowdown, spread over the other lanes.
CostModel costsAt(const BlockProfile& profile, int samples);

/// How much slower than `base` the lane is that `other` was measured on: total times at the sizes that both have, or at base's largest size.
double slownessOf(const BlockProfile& base, const BlockProfile& other);

}  // namespace lanelab
