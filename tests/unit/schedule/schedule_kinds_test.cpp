// SPDX-License-Identifier: GPL-3.0-only
// What each schedule asks of lanes and limits, and what holds of its orders by its kind alone.
#include <gtest/gtest.h>

#include "tests/unit/schedule/made_schedule.h"

namespace lanelab {
namespace {

using test::inV;
using test::lanesOf;
using test::made;
using test::round;

TEST(Requests, OutsideADefinitionAreRefusedWithTheFix) {
  const auto message = [](const std::string& name, const std::vector<LaneId>& lane_of_stage,
                          const ScheduleLimits& limits = {}) {
    const Result<Schedule> schedule = generateSchedule(*parseScheduleName(name), lane_of_stage, lanesOf(lane_of_stage),
                                                       4, WindowKind::Step, {}, limits);
    return schedule.ok() ? std::string("accepted") : schedule.error().message;
  };
  EXPECT_NE(message("interleaved-1f1b", round(3, 2)).find("multiple of the lanes"), std::string::npos);
  EXPECT_NE(message("looped-bfs", inV(2)).find("go round the lanes"), std::string::npos);
  EXPECT_NE(message("zb-v", round(4, 2)).find("twice as many stages as lanes"), std::string::npos);
  EXPECT_NE(message("zb-v", round(3, 3)).find("twice as many stages as lanes"), std::string::npos);
  EXPECT_NE(message("dualpipe-v", round(4, 2)).find("DualPipeV needs two stages per lane in a V"), std::string::npos);
  EXPECT_NE(message("hanayo", round(4, 2)).find("down p lanes and back"), std::string::npos);
  EXPECT_NE(message("interleaved-zb", inV(2)).find("go round the lanes"), std::string::npos);
  EXPECT_NE(message("v-min", inV(1025)).find("at most 1024 lanes"), std::string::npos);
  EXPECT_NE(message("v-half", inV(2), {.warm_up = 2}).find("of its own"), std::string::npos);
  EXPECT_NE(message("gpipe", round(2, 2), {.warm_up = 2}).find("leave it out"), std::string::npos);
  EXPECT_NE(message("zb-v", inV(2), {.warm_up = 2}).find("of its own"), std::string::npos);
  EXPECT_NE(message("1f1b", round(2, 2), {.warm_up = 0}).find("from 1 to 32767"), std::string::npos);
  EXPECT_NE(message("interleaved-1f1b", round(4, 2), {.warm_up = 2}).find("at least 3"), std::string::npos);
  EXPECT_NE(message("1f1b", round(2, 2), {.stage_bytes = {1, 1}, .lane_bytes = 4}).find("Only the schedule list"),
            std::string::npos);
  EXPECT_NE(message("1f1b", round(2, 2), {.held_after_input = 0.5}).find("Only the schedule list"), std::string::npos);
  EXPECT_NE(message("list", round(2, 2), {.held_after_input = 1.5}).find("from 0 to 1, not 1.5"), std::string::npos);
  EXPECT_NE(message("list", round(2, 2), {.lane_bytes = 4}).find("give both"), std::string::npos);
  EXPECT_NE(message("list", round(2, 2), {.stage_bytes = {1, 9}, .lane_bytes = 4}).find("Lane 1 holds 9 B"),
            std::string::npos);
}

TEST(Windows, OrdersDifferOnlyForListAndZbH1) {
  for (const ScheduleKind kind : knownSchedules()) {
    const std::vector<LaneId> lane_of_stage = lanesOfStages(kind, 4, usualLanes(kind, 4));
    const auto order = [&](WindowKind window) {
      const int lanes = usualLanes(kind, 4);
      return toCsv(*generateSchedule(kind, lane_of_stage, lanes, 8, window, std::vector<StageTimes>(4, {10, 20, 10})));
    };
    const bool differ = kind == ScheduleKind::List || kind == ScheduleKind::ZbH1;
    EXPECT_EQ(order(WindowKind::Step) != order(WindowKind::Period), differ) << toWord(kind);
  }
}

TEST(SplitsBackward, IsWhatOrdersDo) {
  for (const ScheduleKind kind : knownSchedules()) {
    const std::vector<LaneId> lane_of_stage = lanesOfStages(kind, 4, 2);
    for (const std::vector<StageTimes>& times : {std::vector<StageTimes>(), std::vector<StageTimes>(4, {10, 20, 0})}) {
      const auto schedule = generateSchedule(kind, lane_of_stage, 2, 8, WindowKind::Step, times);
      EXPECT_EQ(toCsv(*schedule).find('I') != std::string::npos, splitsBackward(kind)) << toWord(kind);
    }
  }
}

TEST(Lanes, AreAsManyAsStagesOrHalfInAV) {
  EXPECT_EQ(usualLanes(ScheduleKind::OneFOneB, 4), 4);
  EXPECT_EQ(usualLanes(ScheduleKind::ZbV, 4), 2);
  EXPECT_EQ(usualLanes(ScheduleKind::ZbV, 3), 3) << "no V";
  EXPECT_EQ(lanesOfStages(ScheduleKind::ZbV, 4, 2), inV(2));
  EXPECT_EQ(lanesOfStages(ScheduleKind::OneFOneB, 4, 2), round(4, 2));
}

TEST(InFlight, CountsFromTheForwardToTheEndOfTheBackward) {
  EXPECT_EQ(mostInFlight(made("gpipe", round(2, 2), 4).schedule), (std::vector{4, 4}));
  EXPECT_EQ(mostInFlight(made("1f1b", round(3, 3), 8).schedule), (std::vector{3, 2, 1}));
  EXPECT_EQ(mostInFlight(*parseScheduleCsv("0F0,0I0,0F1,0W0,0I1,0W1\n")), (std::vector{2})) << "I frees nothing";
}

}  // namespace
}  // namespace lanelab
