// SPDX-License-Identifier: GPL-3.0-only
// What plan and simulate believe that blocks cost: a file of costs, or the profiles stored of an experiment's model on
// this machine.
#pragma once

#include <string>

#include "base/result.h"
#include "engine/advise/profile_of.h"
#include "engine/model/model_spec.h"
#include "engine/sim/cost_model.h"

namespace lanelab {

/// Costs from a file, for the blocks of a model: as many, with its names, in its order. BadInput names the first that
/// differs.
Result<CostModel> readCostsOf(const ModelSpec& model, const std::string& path);

/// The profiles stored for the lanes of the experiment, read from `file`, of blocks that train in `modes`. BadInput
/// says how to make what is missing.
Result<LaneProfiles> profilesFor(const Experiment& experiment, const TrainingModes& modes, const std::string& file,
                                 const Executor& executor);

/// Seconds in milliseconds, rounded to 15 digits, so that 0.007 s is 7 ms and not 7.000000000000001.
double millisecondsOf(double seconds);
/// "12.345", for tables.
std::string millisecondsText(double seconds);

}  // namespace lanelab
