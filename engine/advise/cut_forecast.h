// SPDX-License-Identifier: GPL-3.0-only
// What a step of a schedule takes with any cut of a chain of blocks, and the cut that makes it the shortest: for lanes
// and costs that belong to no variant, and quicker than a variant is resolved. Predicted (step_predictor.h) with the
// order that the schedule makes for the stages of that cut. Seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/window_kind.h"
#include "engine/advise/step_predictor.h"
#include "engine/memory/memory_forecast.h"
#include "engine/placement/cut_search.h"
#include "engine/placement/micro_batches.h"
#include "engine/placement/partition.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {

/// How much work the prediction of a step is, in actions: `list` generates several orders to choose from.
double actionsPredicted(ScheduleKind schedule, std::size_t stages, int micro_batches);

/// The experiment whose network is cut, and what its lanes may take by the forecast that holds for runs.
struct CutExperiment {
  std::shared_ptr<const Resolution> resolution;
  TrainingModes modes;
  MicroBatches micro_batches;
  WindowKind window = WindowKind::Step;
  std::vector<std::int64_t> limits = {};  ///< bytes of each lane of the problem; 0: this one has none; empty: none has
};

/// The blocks of the costs as a partition problem, with the lanes' slowness.
PartitionProblem chainOf(const CostModel& costs, std::vector<LaneId> lane_of_stage, std::size_t lanes);

class CutForecast {
 public:
  /// Stages, lanes and micro-batches are those of `problem`, and costs those of `predictor` on them. With an experiment
  /// the order is the one that a run of it does; its schedule `list` is made of the costs, as `stage_times` ask for.
  /// Asserts that the schedule can be made for them (checkScheduleRequest).
  CutForecast(PartitionProblem problem, const StepPredictor& predictor, ScheduleKind schedule,
              std::optional<CutExperiment> experiment = std::nullopt);

  /// As a run would do it, in this window.
  VariantPlan planOf(const std::vector<BlockId>& cuts, WindowKind window) const;
  StepForecast of(const std::vector<BlockId>& cuts) const;
  PredictedTime stepOf(const std::vector<BlockId>& cuts, WindowKind window) const;
  StepBound boundOf(const std::vector<BlockId>& cuts, WindowKind window) const;
  /// `stage_times` of a variant whose order of these cuts is the predicted one; none if the schedule is not made of
  /// times.
  std::vector<std::string> stageTimesOf(const std::vector<BlockId>& cuts) const;

  /// Of those within the memory of the lanes; `start` is where the search begins. Takes a second or two at most, or one
  /// prediction: all cuts are tried where they are few enough.
  FastestCut fastest(const std::vector<BlockId>& start, WindowKind window) const;
  /// The same by the partition's own objective, whose `seconds` it is; needs no number of micro-batches.
  FastestCut leastObjective(const std::vector<BlockId>& start) const;

  /// Bytes of each lane at its peak. Asserts that there is an experiment.
  std::vector<std::int64_t> peaksOf(const std::vector<BlockId>& cuts) const;
  bool fits(const std::vector<BlockId>& cuts) const { return !hasLimits() || excessOf(cuts) == 0; }

 private:
  bool hasLimits() const { return m_experiment && !m_experiment->limits.empty(); }
  double secondsOf(const std::vector<BlockId>& cuts, WindowKind window) const;
  double excessOf(const std::vector<BlockId>& cuts) const;
  FastestCut search(const std::vector<BlockId>& start, CutJudge judge) const;
  Schedule scheduleOf(const VariantPlan& plan, WindowKind window) const;

  PartitionProblem m_problem;
  StepPredictor m_predictor;
  CostModel m_costs;  ///< of a micro-batch
  ScheduleKind m_schedule;
  MicroBatches m_micro_batches;
  std::optional<CutExperiment> m_experiment;
  TrainingMemory m_training;               ///< of the experiment
  std::vector<LaneMemoryTraits> m_traits;  ///< of the problem's lanes
};

}  // namespace lanelab
