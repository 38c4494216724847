// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/generate.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "engine/placement/micro_batches.h"
#include "engine/schedule/generate_parts.h"

namespace lanelab {
namespace {

constexpr std::size_t kMostCells = 1'000'000;  // (stage, micro-batch) pairs: bounds time and memory of the simulation

Status checkCounts(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches) {
  if (lane_of_stage.empty()) return Error::badInput("A schedule needs at least 1 stage, not 0.");
  if (micro_batches < 1) return Error::badInput("A schedule needs at least 1 micro-batch, not {}.", micro_batches);
  if (lane_of_stage.size() > kMostStages) {
    return Error::badInput("A schedule has at most {} stages, not {}.", kMostStages, lane_of_stage.size());
  }
  if (micro_batches > kMostMicroBatches) {
    return Error::badInput("A schedule has at most {} micro-batches, not {}: choose a larger split size.",
                           kMostMicroBatches, micro_batches);
  }
  if (lane_of_stage.size() * static_cast<std::size_t>(micro_batches) > kMostCells) {
    return Error::badInput(
        "{} stages of {} micro-batches make more actions than anyone can read or run: choose a larger split size or "
        "fewer stages.",
        lane_of_stage.size(), micro_batches);
  }
  for (const LaneId lane : lane_of_stage) {
    if (lane.value < 0 || lane.value >= lanes) {
      return Error::badInput("A stage is on lane {}, but there are {} lanes, counted from 0: place it on one of them.",
                             lane.value, lanes);
    }
  }
  return {};
}

std::string countedStages(std::size_t stages) { return std::to_string(stages) + (stages == 1 ? " stage" : " stages"); }

Status checkPlacement(ScheduleKind kind, const std::vector<LaneId>& lane_of_stage) {
  const std::string not_these = ", and these " + countedStages(lane_of_stage.size()) + " are placed differently";
  const StageLayout layout = layoutOf(kind);
  const bool laid_out = layout == StageLayout::Any || lanesLaidOut(layout, lane_of_stage);
  if (layout == StageLayout::V && !laid_out) {
    return Error::badInput(
        "{} needs two stages per lane in a V, stage s and stage 2p-1-s on the same of p lanes{}: cut the model into "
        "twice as many stages as lanes, or choose ZB-H1 or By stage times (list).",
        titleOf(kind), not_these);
  }
  if (layout == StageLayout::Waves && !laid_out) {
    return Error::badInput(
        "{} needs stages that go down p lanes and back, a multiple of 2p stages{}: cut the model into 2, 4 or 6 stages "
        "per lane, or choose 1F1B or By stage times (list).",
        titleOf(kind), not_these);
  }
  if (layout == StageLayout::RoundRobin && !laid_out) {
    return Error::badInput(
        "{} needs stages that go round the lanes, stage s on lane s mod p, equally many on each of p lanes{}: cut the "
        "model into a multiple of the lanes, or choose 1F1B or By stage times (list).",
        titleOf(kind), not_these);
  }
  const auto most = static_cast<std::size_t>(rowOf(kind).most_lanes);
  if (most > 0 && lane_of_stage.size() > 2 * most) {
    return Error::badInput("{} takes at most {} lanes, not {}: choose ZB-V for more.", titleOf(kind), most,
                           lane_of_stage.size() / 2);
  }
  return {};
}

Status checkWarmUp(ScheduleKind kind, const std::vector<LaneId>& lane_of_stage, int micro_batches, int warm_up) {
  if (rowOf(kind).warm_up == WarmUp::None)
    return Error::badInput("{} does all forwards first and takes no warm-up depth: leave it out.", titleOf(kind));
  if (!takesWarmUp(kind))
    return Error::badInput(
        "{} has a warm-up of its own: leave the depth out, or choose ZB-H1 or By stage times (list).", titleOf(kind));
  if (warm_up < 1 || warm_up > kMostMicroBatches)
    return Error::badInput("The warm-up depth must be from 1 to {} micro-batches, not {}.", kMostMicroBatches, warm_up);
  if (kind != ScheduleKind::InterleavedOneFOneB) return {};
  const int around = *lanesLaidOut(layoutOf(kind), lane_of_stage);
  const int least = interleavedDepth(static_cast<int>(lane_of_stage.size()), around, micro_batches).least;
  if (warm_up >= least) return {};
  return Error::badInput(
      "A warm-up depth of {} would never reach the last stage: Interleaved 1F1B needs at least {} forwards here.",
      warm_up, least);
}

Status checkBytes(ScheduleKind kind, const std::vector<LaneId>& lane_of_stage, int lanes,
                  const ScheduleLimits& limits) {
  if (!limits.lane_bytes && limits.stage_bytes.empty()) return {};
  if (kind != ScheduleKind::List)
    return Error::badInput("Only the schedule list takes a memory limit in bytes: leave it out, or choose list.");
  if (!limits.lane_bytes || limits.stage_bytes.size() != lane_of_stage.size())
    return Error::badInput("A memory limit needs the bytes of a lane and of each of the {}: give both.",
                           countedStages(lane_of_stage.size()));
  if (std::ranges::any_of(limits.stage_bytes,
                          [](std::int64_t bytes) { return bytes < 0 || bytes > INT64_MAX / kMostStages; }))
    return Error::badInput("The bytes of a stage must be 0 or more and a size that memory can have.");
  const std::vector<std::int64_t> needed = bytesOfLanes(lane_of_stage, lanes, limits.stage_bytes);
  const auto most = std::ranges::max_element(needed);
  if (*most <= *limits.lane_bytes) return {};
  return Error::badInput(
      "Lane {} holds {} of a single micro-batch, more than the limit of {}: choose a smaller split size or a larger "
      "limit.",
      most - needed.begin(), formatBytes(*most), formatBytes(*limits.lane_bytes));
}

Status checkHeldShare(ScheduleKind kind, const ScheduleLimits& limits) {
  if (limits.held_after_input == 1) return {};
  if (kind != ScheduleKind::List)
    return Error::badInput("Only the schedule list counts what is held after I: leave the share out, or choose list.");
  if (limits.held_after_input >= 0 && limits.held_after_input <= 1) return {};
  return Error::badInput("The share that is held after I must be from 0 to 1, not {}.",
                         exactNumber(limits.held_after_input));
}

}  // namespace

const std::vector<ScheduleKind>& knownSchedules() {
  static const std::vector<ScheduleKind> kinds = [] {
    std::vector<ScheduleKind> generated;
    for (const ScheduleRow& row : scheduleRows())
      if (row.rows != nullptr) generated.push_back(row.kind);
    return generated;
  }();
  return kinds;
}

std::vector<std::string> knownScheduleNames() {
  std::vector<std::string> names;
  for (const ScheduleKind kind : knownSchedules()) names.push_back(toWord(kind));
  return names;
}

Result<ScheduleKind> parseScheduleName(const std::string& name) {
  const auto kind = fromWord<ScheduleKind>(name);
  if (kind && rowOf(*kind).rows != nullptr) return *kind;
  return Error::badInput("Unknown schedule \"{}\": {}", name, nearestHint(name, knownScheduleNames()));
}

std::optional<int> lanesLaidOut(StageLayout layout, const std::vector<LaneId>& lane_of_stage) {
  const bool turns = layout != StageLayout::RoundRobin;
  const auto begin = lane_of_stage.begin(), end = lane_of_stage.end();
  const auto again = turns ? std::adjacent_find(begin, end) : std::find(begin + 1, end, lane_of_stage.front());
  const std::size_t stages = lane_of_stage.size();
  const std::size_t lanes = static_cast<std::size_t>(again - begin) + (turns ? 1 : 0),
                    round = turns ? 2 * lanes : lanes;
  if (stages % round != 0 || (layout == StageLayout::V && stages != round)) return std::nullopt;
  if (std::set<LaneId>(begin, begin + static_cast<std::ptrdiff_t>(lanes)).size() != lanes) return std::nullopt;
  for (std::size_t s = 0; s < stages; ++s) {
    const std::size_t in_round = s % round;
    if (lane_of_stage[s] != lane_of_stage[std::min(in_round, 2 * lanes - 1 - in_round)]) return std::nullopt;
  }
  return static_cast<int>(lanes);
}

bool goesRoundTheLanes(ScheduleKind schedule) { return layoutOf(schedule) != StageLayout::Any; }

std::vector<LaneId> lanesOfStages(ScheduleKind schedule, int stages, const std::vector<LaneId>& lanes) {
  const int around = static_cast<int>(lanes.size());
  const int wave = 2 * around;
  const StageLayout layout = layoutOf(schedule);
  const bool turns = layout == StageLayout::V ? stages == wave : layout == StageLayout::Waves && stages % wave == 0;
  std::vector<LaneId> lane_of_stage;
  for (int s = 0; s < stages; ++s)
    lane_of_stage.push_back(
        lanes[static_cast<std::size_t>(turns ? std::min(s % wave, wave - 1 - s % wave) : s % around)]);
  return lane_of_stage;
}

std::vector<LaneId> lanesOfStages(ScheduleKind schedule, int stages, int lanes) {
  std::vector<LaneId> all;
  for (int lane = 0; lane < lanes; ++lane) all.emplace_back(lane);
  return lanesOfStages(schedule, stages, all);
}

int usualLanes(ScheduleKind schedule, int stages) {
  return turnsAtTheLastLane(schedule) && stages % 2 == 0 ? stages / 2 : stages;
}

Status checkScheduleRequest(ScheduleKind kind, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches,
                            const ScheduleLimits& limits) {
  if (kind == ScheduleKind::Custom)
    return Error::badInput("A custom schedule is given action by action: choose {}.", joinOr(knownScheduleNames()));
  Status status = checkCounts(lane_of_stage, lanes, micro_batches);
  if (status.ok()) status = checkPlacement(kind, lane_of_stage);
  if (status.ok() && limits.warm_up) status = checkWarmUp(kind, lane_of_stage, micro_batches, *limits.warm_up);
  if (status.ok()) status = checkBytes(kind, lane_of_stage, lanes, limits);
  if (status.ok()) status = checkHeldShare(kind, limits);
  return status;
}

Result<Schedule> generateSchedule(ScheduleKind kind, const std::vector<LaneId>& lane_of_stage, int lanes,
                                  int micro_batches, WindowKind window, const std::vector<StageTimes>& times,
                                  const ScheduleLimits& limits) {
  if (const Status request = checkScheduleRequest(kind, lane_of_stage, lanes, micro_batches, limits); !request.ok())
    return request.error();
  const std::vector<StageTimes> known = times.empty() ? std::vector<StageTimes>(lane_of_stage.size()) : times;
  const ScheduleRequest checked{lane_of_stage, lanes, micro_batches, window, known, limits};
  return Schedule{checked.stages(), micro_batches, rowOf(kind).rows(checked)};
}

}  // namespace lanelab
