// SPDX-License-Identifier: GPL-3.0-only
// The schedule of a variant: made by name from its stages, or given action by action.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/placement/placement.h"
#include "engine/schedule/generate.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// The lanes of the stages that `cuts` make: as the schedule goes round the lanes, as the rows of a custom one say, or
/// one a stage. `lanes` are those of the variant; fewer come back than there are stages where a schedule takes one
/// stage a lane.
std::vector<LaneId> lanesForCuts(const VariantConfig& variant, const std::vector<LaneId>& lanes);

/// The stages of a variant: cuts are kept where two neighbours lie on one lane.
std::vector<Stage> stagesOf(const ModelSpec& model, const VariantConfig& variant, const Placement& placement);

/// The stages that a schedule orders, on the lanes of the experiment.
struct StagedSamples {
  const ModelSpec& model;
  const std::vector<Stage>& stages;
  std::size_t lanes = 0;
  int split_size = 1;  ///< samples of the largest micro-batch
  int micro_batches = 1;
  WindowKind window;  ///< that its steps run with
};

/// What is wrong with the schedule that the variant asks for, and which key says so ("schedule", "warm_up", "actions",
/// ...).
struct ScheduleKeyProblem {
  std::string key;
  Message message;
};
std::optional<ScheduleKeyProblem> findScheduleProblem(const VariantConfig& variant, const StagedSamples& staged);

/// One row for each lane. BadInput where findScheduleProblem finds one.
Result<Schedule> scheduleOf(const VariantConfig& variant, const StagedSamples& staged);

}  // namespace lanelab
