// SPDX-License-Identifier: GPL-3.0-only
// How whoever predicts a step is asked: the simulator (engine/sim) stands beside engine/run, so it is handed in.
#pragma once

#include <functional>
#include <vector>

#include "engine/placement/block_profile.h"
#include "engine/placement/micro_batches.h"
#include "engine/placement/placement.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// Seconds of a step of that schedule, with a profile for each of its lanes; `recompute` says which stages compute
/// their activations again. engine/sim's stepSecondsOf() is one.
using PredictStep = std::function<double(const std::vector<const BlockProfile*>& of_lane, const Schedule& schedule,
                                         const std::vector<Stage>& stages, const MicroBatches& micro_batches,
                                         const std::vector<bool>& recompute)>;

}  // namespace lanelab
