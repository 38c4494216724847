// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/variant_schedule.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "engine/schedule/check.h"
#include "engine/schedule/replicas.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {
namespace {

Result<Schedule> parseRows(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) {
    if (row.find('\n') != std::string::npos)
      return Error::badInput("A row goes over several lines: write one text a lane.");
    text += row + '\n';
  }
  return parseScheduleCsv(text);
}

/// The rows as a schedule of what the variant has, whether they name all of it or not.
Result<Schedule> givenSchedule(const std::vector<std::string>& rows, const StagedSamples& staged) {
  if (rows.size() > staged.lanes) {
    return Error::badInput("There are {} rows for {}{}: write one row a lane of the experiment.", rows.size(),
                           staged.lanes, staged.lanes == 1 ? " lane" : " lanes");
  }
  Result<Schedule> schedule = parseRows(rows);
  if (!schedule.ok()) return schedule;
  schedule->lanes.resize(staged.lanes);
  schedule->stages = static_cast<int>(staged.stages.size());
  schedule->micro_batches = staged.micro_batches;
  const std::vector<ScheduleProblem> problems = checkSchedule(*schedule, lanesOfStages(staged.stages).front());
  if (!problems.empty()) return Error::badInput(problems.front());
  return schedule;
}

/// A limit counts what the layer table does: outputs that the backward needs, and a received input.
ScheduleLimits limitsOf(const VariantConfig& variant, const StagedSamples& staged) {
  ScheduleLimits limits{variant.warm_up, {}, std::nullopt};
  if (!variant.activation_limit_mib) return limits;
  limits.lane_bytes = static_cast<std::int64_t>(*variant.activation_limit_mib * 1024 * 1024);
  for (const Stage& stage : staged.stages)
    limits.stage_bytes.push_back(costOf(staged.model, stage).activation_bytes * staged.split_size);
  return limits;
}

/// Before anything is measured a stage's time is taken as its MACs, and as much again for each part of its backward.
/// The unit is a thousandth of the model, so that no number of micro-batches overflows.
StageTimes timesOf(const ModelSpec& model, const Stage& stage) {
  const Stage whole{StageId(0), LaneId(0), BlockId(0), BlockId(model.blocks.size())};
  const double share = static_cast<double>(costOf(model, stage).macs) /
                       static_cast<double>(std::max<std::int64_t>(1, costOf(model, whole).macs));
  const auto forward = static_cast<std::int64_t>(std::lround(share * 1000));
  return {forward, 2 * forward, forward};
}

Result<std::vector<StageTimes>> timesOf(const VariantConfig& variant, const StagedSamples& staged) {
  std::vector<StageTimes> times;
  if (!variant.stage_times) {
    for (const Stage& stage : staged.stages) times.push_back(timesOf(staged.model, stage));
    return times;
  }
  for (const std::string& text : *variant.stage_times) {
    const Result<StageTimes> parsed = parseStageTimes(text);
    if (!parsed.ok()) return parsed.error();
    times.push_back(*parsed);
  }
  if (times.size() == 1) times.resize(staged.stages.size(), times.front());
  if (times.size() == staged.stages.size()) return times;
  return Error::badInput("There are {} times for {} stages: give one F:I:W a stage, or one for all.", times.size(),
                         staged.stages.size());
}

/// A key that only one schedule reads would be passed over silently by the others.
std::optional<ScheduleKeyProblem> findIdleKey(const VariantConfig& variant) {
  if (variant.schedule == ScheduleKind::List) return std::nullopt;
  if (variant.stage_times)
    return ScheduleKeyProblem{"stage_times", sentence("Only the schedule list plans by times. Leave them out.")};
  if (variant.activation_limit_mib)
    return ScheduleKeyProblem{"activation_limit_mib",
                              sentence("Only the schedule list plans within a memory limit. Leave it out.")};
  return std::nullopt;
}

std::optional<ScheduleKeyProblem> findLimitProblem(const VariantConfig& variant, const StagedSamples& staged) {
  const auto status = [&](const ScheduleLimits& limits) {
    return checkScheduleRequest(variant.schedule, lanesOfStages(staged.stages).front(), static_cast<int>(staged.lanes),
                                staged.micro_batches, limits);
  };
  ScheduleLimits limits{variant.warm_up, {}, std::nullopt};
  if (const Status plain = status({}); !plain.ok()) return ScheduleKeyProblem{"schedule", plain.error()};
  if (const Status deep = status(limits); !deep.ok()) return ScheduleKeyProblem{"warm_up", deep.error()};
  if (!variant.activation_limit_mib) return std::nullopt;
  constexpr double kMostMib = 1 << 30;
  if (!(*variant.activation_limit_mib > 0 && *variant.activation_limit_mib <= kMostMib))
    return ScheduleKeyProblem{"activation_limit_mib",
                              sentence("The limit must be above 0 and a size that memory can have, not {} MiB.",
                                       exactNumber(*variant.activation_limit_mib))};
  if (const Status limited = status(limitsOf(variant, staged)); !limited.ok())
    return ScheduleKeyProblem{"activation_limit_mib", limited.error()};
  return std::nullopt;
}

}  // namespace

std::vector<LaneId> lanesForCuts(const VariantConfig& variant, const std::vector<LaneId>& lanes) {
  const std::size_t stages = variant.cuts ? variant.cuts->size() + 1 : 1;
  if (lanes.empty()) return lanes;
  if (variant.schedule == ScheduleKind::Custom && variant.actions) {
    const Result<Schedule> rows = parseRows(*variant.actions);
    if (rows.ok() && static_cast<std::size_t>(rows->stages) == stages) return lanesOfRows(*rows);
  }
  return goesRoundTheLanes(variant.schedule) ? lanesOfStages(variant.schedule, static_cast<int>(stages), lanes) : lanes;
}

std::vector<Stage> stagesOf(const ModelSpec& model, const VariantConfig& variant, const Placement& placement) {
  std::vector<BlockId> cuts;
  if (variant.cuts && variant.cuts->size() < model.blocks.size()) {  // more are a problem of the placement
    for (const std::string& name : *variant.cuts) {
      if (const auto block = model.find(name)) cuts.push_back(*block);
    }
  }
  return stagesOf(placement, cuts);
}

std::optional<ScheduleKeyProblem> findScheduleProblem(const VariantConfig& variant, const StagedSamples& staged) {
  if (const auto idle = findIdleKey(variant)) return idle;
  if (variant.actions) {
    const Result<Schedule> given = givenSchedule(*variant.actions, staged);
    if (given.ok()) return std::nullopt;
    return ScheduleKeyProblem{"actions", variant.schedule == ScheduleKind::Custom
                                             ? Message(given.error())
                                             : sentence("{} Leaving the actions out brings the order of {} back.",
                                                        given.error(), titleOf(variant.schedule))};
  }
  if (variant.schedule == ScheduleKind::Custom)
    return ScheduleKeyProblem{"schedule", sentence("The schedule \"custom\" needs actions: one CSV row per lane, such "
                                                   "as \"0F0,0B0\". Or name a known schedule.")};
  if (const auto limit = findLimitProblem(variant, staged)) return limit;
  const Result<std::vector<StageTimes>> times = timesOf(variant, staged);
  if (times.ok()) return std::nullopt;
  return ScheduleKeyProblem{"stage_times", times.error()};
}

Result<Schedule> scheduleOf(const VariantConfig& variant, const StagedSamples& staged) {
  if (variant.actions) return givenSchedule(*variant.actions, staged);
  const Result<std::vector<StageTimes>> times = timesOf(variant, staged);
  if (!times.ok()) return times.error();
  const ScheduleKind kind = variant.strategy == Strategy::Pipeline ? variant.schedule : ScheduleKind::Gpipe;
  return generateSchedule(kind, lanesOfStages(staged.stages).front(), static_cast<int>(staged.lanes),
                          staged.micro_batches, staged.window, *times, limitsOf(variant, staged));
}

}  // namespace lanelab
