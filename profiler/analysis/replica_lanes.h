// SPDX-License-Identifier: GPL-3.0-only
// Which lanes of a trace are a replica: those that work on the same micro-batches.
//
// Micro-batches are numbered over a whole step and each belongs to one replica, so lanes that share one, directly or
// through others, train one copy of the model. Told by the actions alone, of running, stored and imported traces alike.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// By lane, the number of its replica, counted by their micro-batches; -1 for a lane without actions. Empty where all
/// lanes are one replica. Looks at the first actions of a lane only, so its cost does not grow with the run.
std::vector<int> replicasOfLanes(const Trace& trace);

}  // namespace lanelab
