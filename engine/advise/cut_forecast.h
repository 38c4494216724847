// SPDX-License-Identifier: GPL-3.0-only
// What a step of a schedule takes with any cut of a chain of blocks, and the cut that makes it the shortest: for costs
// that belong to no variant. Simulated (engine/sim/simulate.h) with the order that the schedule makes for the stages of
// that cut. Seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/window_kind.h"
#include "engine/advise/cut_search.h"
#include "engine/experiment/resolution.h"
#include "engine/memory/memory_forecast.h"
#include "engine/placement/micro_batches.h"
#include "engine/placement/partition.h"
#include "engine/schedule/schedule_kind.h"
#include "engine/sim/cost_model.h"
#include "engine/sim/simulate.h"

namespace lanelab {

/// How much work the prediction of a step is, in actions: `list` generates several orders to choose from.
double actionsPredicted(ScheduleKind schedule, std::size_t stages, int micro_batches);

/// The memory of lanes that cuts must keep within, by the forecast that holds for runs (engine/memory).
struct CutMemory {
  std::shared_ptr<const Resolution> resolution;  ///< of the network's experiment
  TrainingMemory training;
  MicroBatches micro_batches;
  WindowKind window = WindowKind::Step;
  std::vector<LaneMemoryTraits> lanes;  ///< of the problem
  std::vector<std::int64_t> limits;     ///< of each of them; 0: none
};

class CutForecast {
 public:
  /// Stages, lanes and micro-batches are those of `problem`, costs of its blocks those of `costs`, with parts of the
  /// backward where the schedule splits it. Asserts that the schedule can be made for them (checkScheduleRequest).
  CutForecast(PartitionProblem problem, CostModel costs, ScheduleKind schedule,
              std::optional<CutMemory> memory = std::nullopt);

  StepForecast of(const std::vector<BlockId>& cuts) const;

  /// Of those within the memory of the lanes; `start` is where the search begins. Takes a second or two at most, or one
  /// prediction: all cuts are tried where they are few enough.
  FastestCut fastest(const std::vector<BlockId>& start, WindowKind window) const;
  /// The same by the partition's own objective, whose `seconds` it is; needs no number of micro-batches.
  FastestCut leastObjective(const std::vector<BlockId>& start) const;

  /// Bytes of each lane at its peak. Asserts that the memory is known.
  std::vector<std::int64_t> peaksOf(const std::vector<BlockId>& cuts) const;
  bool fits(const std::vector<BlockId>& cuts) const { return !m_memory || excessOf(cuts) == 0; }

 private:
  double secondsOf(const std::vector<BlockId>& cuts, WindowKind window) const;
  double excessOf(const std::vector<BlockId>& cuts) const;
  FastestCut search(const std::vector<BlockId>& start, CutJudge judge) const;
  Schedule scheduleOf(const std::vector<Stage>& stages, int micro_batches, WindowKind window) const;

  PartitionProblem m_problem;
  StepCosts m_costs;
  ScheduleKind m_schedule;
  std::optional<CutMemory> m_memory;
};

}  // namespace lanelab
