// SPDX-License-Identifier: GPL-3.0-only
// A variant made ready: everything derived from an Experiment that an executor needs, checked. Made by resolution.h.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/step_barrier.h"
#include "engine/experiment/training_modes.h"
#include "engine/placement/micro_batches.h"
#include "engine/placement/placement.h"
#include "engine/schedule/replicas.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

struct VariantPlan {
  std::string name;
  Strategy strategy = Strategy::Single;
  /// Gpipe for single and model-parallel too, of one micro-batch unless split; Custom for given actions.
  ScheduleKind schedule_kind = ScheduleKind::Gpipe;
  Placement placement;
  std::vector<Stage> stages;
  MicroBatches micro_batches;
  Schedule schedule;  ///< one row for each lane of the experiment
  TrainingModes modes = {};
  StageLanes replica_lanes =
      {};  ///< empty without replicas; `placement`, `stages` and `micro_batches` are the first one's

  StepBarrier step_barrier = StepBarrier::Asked;
  std::vector<double> forward_again = {};  ///< by block: the part of its forward that its backward computes again

  int replicas() const { return schedule.replicas; }
  /// A lane may begin its next step while others still do the last.
  bool stepsOverlap() const { return step_barrier == StepBarrier::None; }
  StageLanes stageLanes() const { return replica_lanes.empty() ? lanesOfStages(stages) : replica_lanes; }
};

}  // namespace lanelab
