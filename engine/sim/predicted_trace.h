// SPDX-License-Identifier: GPL-3.0-only
// A simulation as a Trace, so that timeline, gap analysis and export serve plans as they serve runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/sim/simulate.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// One step, number 0, from time 0, with the tracks and names of a measured one; its origin is Predicted. `lanes` are
/// those of the experiment, one for each of the simulation. Times are rounded to nanoseconds. Actions that take no time
/// are left out.
std::shared_ptr<const Trace> predictedTrace(const Simulation& simulation, const std::string& title,
                                            const std::vector<LaneInfo>& lanes);

}  // namespace lanelab
