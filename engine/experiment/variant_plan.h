// SPDX-License-Identifier: GPL-3.0-only
// A variant made ready: everything derived from an Experiment that an executor needs, checked.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
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

  int replicas() const { return schedule.replicas; }
  StageLanes stageLanes() const { return replica_lanes.empty() ? lanesOfStages(stages) : replica_lanes; }
};

/// A problem of an experiment, for a form that wants them all: where ("variants[2].split_size") and a sentence.
struct ExperimentProblem {
  std::string where;
  std::string message;
};

/// Everything that is wrong with the values of an experiment, whatever the machine: ranges, names, cuts; files that
/// cannot be read are not looked at. Names also what can be planned and simulated but not trained: a batch norm that
/// would see one value a channel.
std::vector<ExperimentProblem> findProblems(const Experiment& experiment);

/// The model and one plan a variant, or the first problem (BadInput).
Result<ModelSpec> modelOf(const Experiment& experiment);
Result<VariantPlan> planVariant(const Experiment& experiment, const ModelSpec& model, const VariantConfig& variant);
Result<std::vector<VariantPlan>> planVariants(const Experiment& experiment);

}  // namespace lanelab
