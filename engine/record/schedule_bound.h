// SPDX-License-Identifier: GPL-3.0-only
// How near a run came to what its schedule, and any schedule, allows with the times that were measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/variant_plan.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Mean seconds of one micro-batch's actions on a stage; 0 for what the schedule does not have.
struct StageMeans {
  double forward = 0;
  double backward = 0;  ///< whole, or the input part where that is split
  double weight = 0;
  double update = 0;  ///< a step
};

struct ScheduleBound {
  double step_seconds = 0;   ///< mean of the measured steps, from step to step where they overlap
  double order_seconds = 0;  ///< the schedule's own order with the stages' means, without transfers, waits and
                             ///< overhead, or with the own time of each action if that is shorter, so that no step is
                             ///< faster; of a variant without a step barrier its period
  double work_seconds = 0;   ///< the busiest lane's work: no order of these actions is faster
  double step_idle = 0;      ///< share of the step in which lanes that have work compute nothing, measured
  double order_idle = 0;     ///< the same in the schedule's own order
  std::vector<StageMeans> stages;
};

/// order_seconds; of older files, which have the stages' means alone, at most the step.
double idealSeconds(const ScheduleBound& bound);

/// From the recorded actions of a trace; nothing where a stage has none, as without a recording.
std::optional<ScheduleBound> scheduleBound(const Trace& trace, const VariantPlan& plan);

/// Field by field; `bounds` of one variant, at least one.
ScheduleBound meanBound(const std::vector<ScheduleBound>& bounds);

/// "12:11:9" a stage, in microseconds, as `stage_times` of a variant takes them; a whole backward is halved.
std::vector<std::string> stageTimesText(const ScheduleBound& bound);

}  // namespace lanelab
