#include "engine/run/variant_schedule.h"

#include <algorithm>
#include <cmath>

#include "engine/plan/check.h"
#include "engine/plan/generate.h"

namespace lanelab {
namespace {

const std::string kCustom = "custom";

std::vector<LaneId> lanesOf(const std::vector<Stage>& stages) {
  std::vector<LaneId> lane_of_stage;
  for (const Stage& stage : stages) lane_of_stage.push_back(stage.lane);
  return lane_of_stage;
}

Result<Schedule> parseRows(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) {
    if (row.find('\n') != std::string::npos) return Error::badInput("A row goes over several lines: write one text a lane.");
    text += row + '\n';
  }
  return parseScheduleCsv(text);
}

/// The rows as a schedule of what the variant has, whether they name all of it or not.
Result<Schedule> givenSchedule(const std::vector<std::string>& rows, const std::vector<Stage>& stages, std::size_t lanes, int micro_batches) {
  if (rows.size() > lanes) {
    return Error::badInput("There are " + std::to_string(rows.size()) + " rows for " + std::to_string(lanes) + (lanes == 1 ? " lane" : " lanes") +
                           ": write one row a lane of the experiment.");
  }
  Result<Schedule> schedule = parseRows(rows);
  if (!schedule.ok()) return schedule;
  schedule->lanes.resize(lanes);
  schedule->stages = static_cast<int>(stages.size());
  schedule->micro_batches = micro_batches;
  const std::vector<ScheduleProblem> problems = checkSchedule(*schedule, lanesOf(stages));
  if (!problems.empty()) return Error::badInput(problems.front().message);
  return schedule;
}

ScheduleLimits limitsOf(const VariantConfig& variant) { return {variant.warm_up, {}, std::nullopt}; }

/// Before anything is measured a stage's time is taken as its MACs, and as much again for each part of its backward. The unit is a
/// thousandth of the model, so that no number of micro-batches overflows.
StageTimes timesOf(const ModelSpec& model, const Stage& stage) {
  const Stage whole{StageId(0), LaneId(0), BlockId(0), BlockId(model.blocks.size())};
  const double share = static_cast<double>(costOf(model, stage).macs) / static_cast<double>(std::max<std::int64_t>(1, costOf(model, whole).macs));
  const auto forward = static_cast<std::int64_t>(std::lround(share * 1000));
  return {forward, 2 * forward, forward};
}

}  // namespace

std::vector<std::string> schedulesOfVariants() {
  std::vector<std::string> names = knownSchedules();
  names.push_back(kCustom);
  return names;
}

std::vector<LaneId> lanesForCuts(const VariantConfig& variant, const std::vector<LaneId>& lanes) {
  const std::size_t stages = variant.cuts ? variant.cuts->size() + 1 : 1;
  if (lanes.empty()) return lanes;
  if (variant.schedule == kCustom && variant.actions) {
    const Result<Schedule> rows = parseRows(*variant.actions);
    if (rows.ok() && static_cast<std::size_t>(rows->stages) == stages) return lanesOfRows(*rows);
  }
  return goesRoundTheLanes(variant.schedule) ? lanesOfStages(variant.schedule, static_cast<int>(stages), lanes) : lanes;
}

std::vector<Stage> stagesOf(const ModelSpec& model, const VariantConfig& variant, const Placement& placement) {
  std::vector<BlockId> cuts;
  if (variant.cuts) {
    for (const std::string& name : *variant.cuts) {
      if (const auto block = model.find(name)) cuts.push_back(*block);
    }
  }
  return stagesOf(placement, cuts);
}

std::optional<ScheduleKeyProblem> findScheduleProblem(const VariantConfig& variant, const std::vector<Stage>& stages, std::size_t lanes,
                                                      int micro_batches) {
  if (variant.actions) {
    const Result<Schedule> given = givenSchedule(*variant.actions, stages, lanes, micro_batches);
    if (given.ok()) return std::nullopt;
    return ScheduleKeyProblem{"actions", given.error().message};
  }
  if (variant.schedule == kCustom)
    return ScheduleKeyProblem{"schedule",
                              "The schedule \"custom\" needs actions: one CSV row a lane, such as \"0F0,0B0\". Or name a known schedule."};
  const auto status = [&](const ScheduleLimits& limits) {
    return checkScheduleRequest(variant.schedule, lanesOf(stages), static_cast<int>(lanes), micro_batches, limits);
  };
  if (const Status plain = status({}); !plain.ok()) return ScheduleKeyProblem{"schedule", plain.error().message};
  if (const Status limited = status(limitsOf(variant)); !limited.ok()) return ScheduleKeyProblem{"warm_up", limited.error().message};
  return std::nullopt;
}

Result<Schedule> scheduleOf(const ModelSpec& model, const VariantConfig& variant, const std::vector<Stage>& stages, std::size_t lanes,
                            int micro_batches) {
  if (variant.actions) return givenSchedule(*variant.actions, stages, lanes, micro_batches);
  std::vector<StageTimes> times;
  for (const Stage& stage : stages) times.push_back(timesOf(model, stage));
  const std::string name = variant.strategy == "pipeline" ? variant.schedule : "gpipe";
  return generateSchedule(name, lanesOf(stages), static_cast<int>(lanes), micro_batches, times, limitsOf(variant));
}

}  // namespace lanelab
