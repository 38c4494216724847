// SPDX-License-Identifier: GPL-3.0-only
// What a step of a schedule takes with any cut of a chain of blocks, and the cut that makes it the shortest: for costs
// that belong to no variant. Simulated (engine/sim/simulate.h) with the order that the schedule makes for the stages of
// that cut. Seconds.
#pragma once

#include <cstddef>
#include <vector>

#include "base/window_kind.h"
#include "engine/advise/cut_search.h"
#include "engine/placement/partition.h"
#include "engine/schedule/schedule_kind.h"
#include "engine/sim/cost_model.h"
#include "engine/sim/simulate.h"

namespace lanelab {

/// How much work the prediction of a step is, in actions: `list` generates several orders to choose from.
double actionsPredicted(ScheduleKind schedule, std::size_t stages, int micro_batches);

class CutForecast {
 public:
  /// Stages, lanes and micro-batches are those of `problem`, costs of its blocks those of `costs`, with parts of the
  /// backward where the schedule splits it. Asserts that the schedule can be made for them (checkScheduleRequest).
  CutForecast(PartitionProblem problem, CostModel costs, ScheduleKind schedule);

  StepForecast of(const std::vector<BlockId>& cuts) const;

  /// Of those within the memory of the problem's lanes; `start` is where the search begins. Takes a second or two at
  /// most, or one prediction: all cuts are tried where they are few enough.
  FastestCut fastest(const std::vector<BlockId>& start, WindowKind window) const;

 private:
  double secondsOf(const std::vector<BlockId>& cuts, WindowKind window) const;

  PartitionProblem m_problem;
  StepCosts m_costs;
  ScheduleKind m_schedule;
};

}  // namespace lanelab
