// SPDX-License-Identifier: GPL-3.0-only
// What a training job's step would take with other lengths or another schedule: the answer to a what-if about an
// imported trace, as engine/advise/what_if_answer.h has it for runs of our own. Pure; any thread; seconds.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/message.h"
#include "base/result.h"
#include "engine/schedule/schedule_kind.h"
#include "engine/sim/forecast_range.h"
#include "profiler/analysis/what_if.h"

namespace lanelab {

struct JobQuestion {
  WhatIf factors;                        ///< stages, ranks (by lane of the trace) and links count
  std::optional<ScheduleKind> schedule;  ///< none: the order that was recorded
};

struct JobAnswer {
  std::shared_ptr<const Trace> before;  ///< replayed as it was recorded
  std::shared_ptr<const Trace> after;
  double measured_step = 0;  ///< mean, from first start to last end
  double step_before = 0;    ///< means of the replayed steps
  double step_after = 0;
  std::optional<ForecastRange> range = {};  ///< of step_after
  std::vector<Message> assumptions;
};

/// Errors (BadInput): a trace without passes of several lanes whose steps are alike, a stage, rank or link that the job
/// lacks, a schedule that is not defined for its stages, ranks and micro-batches. n log n in the operations.
Result<JobAnswer> answerOfJob(const Trace& trace, const JobQuestion& question);

}  // namespace lanelab
