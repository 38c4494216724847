// SPDX-License-Identifier: GPL-3.0-only
// What if a stage, a rank or a link of a training job took another time: the job replayed by the rules that find who is
// late (job_slowdown.h).
//
// Each operation of each step has its measured length unless a factor changes it. Time between operations that no
// operation explains is left out, as in the ideal step. Seconds. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/slowdown/job_model.h"
#include "profiler/analysis/what_if.h"
#include "profiler/trace/trace.h"

namespace lanelab {

struct ReplayedJob {
  std::vector<double> steps;   ///< by JobModel::steps
  std::vector<double> begins;  ///< by operation and occurrence (JobModel::at), from the begin of the step
  std::vector<double> starts;  ///< of transfers and collectives when the last of them has begun, else as `begins`
  std::vector<double> ends;

  double meanStep() const;
};

/// Of `factors` stages, ranks (by lane of the trace) and links count. A stage's factor is also that of the updates of
/// lanes that have this stage alone; a rank's, of all that it does but transfers and collectives. Nothing if operations
/// wait for each other in a circle. Linear in the operations.
std::optional<ReplayedJob> replayJob(const JobModel& model, const WhatIf& factors = {});

/// The first stage, rank or link that `factors` name and the job lacks: "stage 7"; "" when it has all.
std::string unknownName(const JobModel& model, const WhatIf& factors);

/// The replayed steps one behind the other on the lanes of `recorded`, from time 0, of origin Replayed: passes and
/// updates as actions, transfers, collectives, and what hosts do between.
Trace replayedTrace(const Trace& recorded, const JobModel& model, const ReplayedJob& replayed);

}  // namespace lanelab
