// SPDX-License-Identifier: GPL-3.0-only
// What a variant trains where: placement, schedule, order of actions and strategy. Pure functions, legal before means
// legal after.
#pragma once

#include <optional>

#include "engine/experiment/experiment.h"
#include "engine/placement/placement.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// Writes a placement into a variant: as `cuts` where these say the same, block by block otherwise. An edited order
/// goes where stages change their lanes. Of replicas only cuts move that leave each as many stages as before; else
/// nothing changes. A `single` variant of several stages becomes a gpipe pipeline of about four micro-batches; returns
/// true when that happened.
bool writePlacement(const Experiment& experiment, const ModelSpec& model, const Placement& placement,
                    VariantConfig& variant);

/// Sets another schedule, without what was given for the old one (warm-up depth, limit, times, edited order). A
/// schedule that takes several stages a lane gets them, each stage cut in two where its MACs halve; coming back, every
/// second cut stays.
void setSchedule(const Experiment& experiment, const ModelSpec& model, ScheduleKind schedule, VariantConfig& variant);

/// Sets or, with none, drops the edited order of the variant's actions.
void setActions(const std::optional<Schedule>& schedule, VariantConfig& variant);

/// Sets the strategy. From `single` the blocks spread evenly over all lanes; to `single` they gather on the variant's
/// first lane.
void setStrategy(const Experiment& experiment, const ModelSpec& model, Strategy strategy, VariantConfig& variant);

}  // namespace lanelab
