// SPDX-License-Identifier: GPL-3.0-only
// Schedules by name for lanes in a few shapes, checked.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/schedule/check.h"
#include "engine/schedule/generate.h"

namespace lanelab::test {

inline std::vector<LaneId> round(int stages, int lanes) {
  std::vector<LaneId> lane_of_stage;
  for (int s = 0; s < stages; ++s) lane_of_stage.emplace_back(s % lanes);
  return lane_of_stage;
}

inline std::vector<LaneId> oneLaneAStage(int stages) { return round(stages, stages); }

inline std::vector<LaneId> inV(int lanes) {
  std::vector<LaneId> lane_of_stage;
  for (int s = 0; s < 2 * lanes; ++s) lane_of_stage.emplace_back(std::min(s, 2 * lanes - 1 - s));
  return lane_of_stage;
}

inline std::vector<LaneId> inWaves(int lanes, int waves) {
  std::vector<LaneId> lane_of_stage;
  for (int wave = 0; wave < waves; ++wave) {
    for (const LaneId lane : inV(lanes)) lane_of_stage.push_back(lane);
  }
  return lane_of_stage;
}

/// A schedule by name with everything else as the test says, checked.
struct Made {
  std::vector<LaneId> lane_of_stage;
  Schedule schedule;
};

inline int lanesOf(const std::vector<LaneId>& lane_of_stage) {
  return std::max_element(lane_of_stage.begin(), lane_of_stage.end())->value + 1;
}

inline Made made(const std::string& name, const std::vector<LaneId>& lane_of_stage, int micro_batches,
                 const std::vector<StageTimes>& times = {}, const ScheduleLimits& limits = {}) {
  Result<Schedule> schedule = generateSchedule(*parseScheduleName(name), lane_of_stage, lanesOf(lane_of_stage),
                                               micro_batches, WindowKind::Step, times, limits);
  EXPECT_TRUE(schedule.ok()) << (schedule.ok() ? "" : schedule.error().message);
  if (!schedule.ok()) return {};
  const auto problems = checkSchedule(*schedule, lane_of_stage);
  EXPECT_TRUE(problems.empty()) << name << " on " << lanesOf(lane_of_stage) << " lanes, " << lane_of_stage.size()
                                << " stages, " << micro_batches << ": "
                                << (problems.empty() ? "" : problems.front().message) << "\n"
                                << toCsv(*schedule);
  return {lane_of_stage, std::move(*schedule)};
}

}  // namespace lanelab::test
