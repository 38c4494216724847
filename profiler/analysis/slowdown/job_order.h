// SPDX-License-Identifier: GPL-3.0-only
// What the operations of a job wait for: passes in order on a lane, sends for their pass, passes for what they receive,
// collectives for each other.
#pragma once

#include "profiler/analysis/slowdown/job_model.h"

namespace lanelab {

/// Fills `after` and `groups` of a model that has its operations. n log n.
void orderOperations(JobModel& model);

}  // namespace lanelab
