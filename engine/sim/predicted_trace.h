// SPDX-License-Identifier: GPL-3.0-only
// A simulation as a Trace, so that timeline, gap analysis and export serve plans as they serve runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/sim/simulate.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// The simulated steps, from number 0 and time 0, with the tracks and names of measured ones; its origin is Predicted.
/// One step, or the kShownSteps of a period, whose Step spans overlap: each is from the step's first start to its last
/// end. `lanes` are those of the experiment, one for each of the simulation. Times are rounded to nanoseconds. Actions
/// that take no time are left out.
std::shared_ptr<const Trace> predictedTrace(const Simulation& simulation, const std::string& title,
                                            const std::vector<LaneInfo>& lanes);

}  // namespace lanelab
