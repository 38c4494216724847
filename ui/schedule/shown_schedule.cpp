// SPDX-License-Identifier: GPL-3.0-only
#include "ui/schedule/shown_schedule.h"

#include "engine/experiment/lane_cores.h"
#include "engine/placement/micro_batches.h"
#include "ui/look/plain_text.h"
#include "ui/schedule/schedule_grid.h"

namespace lanelab {
namespace {

/// The rows as they stand: unlike a plan, also in an order that never ends.
std::optional<Schedule> readActions(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) text += row + '\n';
  Result<Schedule> schedule = parseScheduleCsv(text);
  return schedule.ok() ? std::optional(std::move(schedule).value()) : std::nullopt;
}

}  // namespace

std::optional<ShownSchedule> shownSchedule(const ExperimentDocument& document) {
  if (!document.active()) return std::nullopt;
  const VariantConfig& variant = document.active()->config();
  const Experiment& experiment = document.experiment();
  ShownSchedule shown;
  shown.editable = variant.strategy == Strategy::Pipeline;
  shown.edited = shown.editable && variant.actions.has_value();
  for (const std::string& title : laneTitles(experiment.lanes)) shown.lane_names.push_back(look::shownName(title));
  if (shown.edited) {
    auto schedule = readActions(*variant.actions);
    if (!schedule || schedule->lanes.size() > experiment.lanes.size() || experiment.data.batch < 1) return std::nullopt;
    schedule->lanes.resize(experiment.lanes.size());
    schedule->stages = static_cast<int>(document.active()->stages().size());
    schedule->micro_batches = MicroBatches{experiment.data.batch, document.active()->splitSize()}.count();
    shown.schedule = std::move(*schedule);
  } else {
    const VariantPlan* const plan = document.activePlan();
    if (plan == nullptr) return std::nullopt;
    shown.schedule = plan->schedule;
  }
  return hasGrid(shown.schedule) ? std::optional(std::move(shown)) : std::nullopt;
}

std::optional<Schedule> ownSchedule(const ExperimentDocument& document) {
  if (!document.active()) return std::nullopt;
  VariantConfig own = document.active()->config();
  if (own.strategy != Strategy::Pipeline || own.schedule == ScheduleKind::Custom) return std::nullopt;
  own.actions.reset();
  const auto resolution = document.resolution()->with(own);
  const Result<VariantPlan>& plan = resolution->variants().front().plan();
  return plan.ok() ? std::optional(plan->schedule) : std::nullopt;
}

}  // namespace lanelab
