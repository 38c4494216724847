// SPDX-License-Identifier: GPL-3.0-only
// Block times out of the trace of a run, so that the run itself says what another placement, split size or schedule
// would cost.
#pragma once

#include <optional>

#include "engine/experiment/resolution.h"
#include "engine/placement/block_profile.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Of a trace recorded with blocks, of a variant that has a plan: medians over its micro-batches, by their size. What a
/// last stage's action does outside its blocks (the loss) counts for the last block; of the other actions it is the
/// overhead. An update's time is shared by parameters, a link's by the bytes of a result: boundaries that no result
/// crossed take as long a byte as those measured. Backwards of stages that recompute are without the forward in them.
/// Nothing where a block has no forward or no backward, or where the blocks' spans are less than half of their actions
/// (a GPU's launches).
std::optional<BlockProfile> profileOfTrace(const Trace& trace, const ResolvedVariant& variant);

/// Adds to what a trace tells the sizes and backward parts that a profile kept on the same machine has, in the
/// proportions measured there. The two were measured at different times, so only ratios are taken: block by block, of a
/// size's time to that at a size which both have. Without such a size, or with other blocks, `traced` as it is.
/// `alone`: its lanes did not compute at once, so the profile's slowdown when all do is taken, too.
BlockProfile completedBy(BlockProfile traced, const BlockProfile& kept, bool alone);

}  // namespace lanelab
