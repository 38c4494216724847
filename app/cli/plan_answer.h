// SPDX-License-Identifier: GPL-3.0-only
// What the command plan answers, as tables and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/window_kind.h"
#include "engine/placement/cut_search.h"
#include "engine/placement/partition.h"
#include "engine/placement/partition_compare.h"
#include "engine/schedule/schedule_kind.h"
#include "engine/sim/forecast_range.h"
#include "engine/sim/simulate.h"
#include "engine/sim/step_bound.h"

namespace lanelab {

/// The cut with the shortest predicted step.
struct PlannedCut {
  FastestCut found;
  StepForecast forecast;
  Partition partition;
  std::vector<std::int64_t> peaks = {};               ///< of each lane, in bytes; none without limits
  std::optional<ForecastRange> range = std::nullopt;  ///< of the window's length; none with a costs file
  StepBound bound = {};                               ///< of the window's length
  std::vector<std::string> stage_times = {};          ///< for an experiment, of a schedule that is made of them
};

/// The shortest predicted window of a schedule, of those that were compared.
struct PlannedSchedule {
  ScheduleKind schedule;
  std::vector<BlockId> cuts;
  double seconds = 0;
  double bound = 0;
};

struct PlanAnswer {
  std::string title;
  PartitionProblem problem;
  std::vector<NamedPartition> rows;  ///< the exact partition first, then those by rules of thumb
  ScheduleKind schedule = ScheduleKind::OneFOneB;
  WindowKind window = WindowKind::Step;      ///< the one whose length `fastest` minimizes
  std::vector<StepForecast> forecasts = {};  ///< of each row; none if the number of micro-batches is not known
  std::optional<PlannedCut> fastest = std::nullopt;
  std::vector<std::int64_t> limits = {};              ///< of the lanes' memory, in bytes; 0: of this lane none
  std::vector<std::vector<std::int64_t>> peaks = {};  ///< of each row: forecasts of its lanes; none without limits
  std::vector<PlannedSchedule> schedules = {};        ///< the shortest first; none where one was named
  std::string caveat = {};                            ///< of these forecasts (engine/model/memory_caveat.h)

  std::vector<std::string> notes = {};  ///< sentences: what weakens the prediction
  std::string caution = {};             ///< that the times are of a busy machine (profile_caution.h); mostly empty

  const Partition& best() const { return rows.front().partition; }
};

/// "blocks.2, blocks.5".
std::string cutsText(const PartitionProblem& problem, const std::vector<BlockId>& cuts);

/// Of the step or the period.
double lengthOf(const StepForecast& forecast, WindowKind window);

std::string planText(const PlanAnswer& answer);
/// One object; times are in milliseconds.
std::string planJson(const PlanAnswer& answer);

}  // namespace lanelab
