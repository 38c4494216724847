// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/check.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/schedule/generate.h"
#include "tests/support/sanitized.h"
#include "tests/unit/schedule/made_schedule.h"

namespace lanelab {
namespace {

using test::oneLaneAStage;

using Kind = ScheduleProblem::Kind;

std::vector<ScheduleProblem> check(const char* csv, const std::vector<LaneId>& lane_of_stage) {
  const Result<Schedule> schedule = parseScheduleCsv(csv);
  EXPECT_TRUE(schedule.ok());
  return checkSchedule(*schedule, lane_of_stage);
}

std::string onlyMessage(const char* csv, Kind kind, const std::vector<LaneId>& lane_of_stage = oneLaneAStage(2)) {
  const auto problems = check(csv, lane_of_stage);
  EXPECT_EQ(problems.size(), 1u) << csv;
  if (problems.empty()) return "";
  EXPECT_EQ(problems[0].kind, kind) << problems[0].message;
  return problems[0].message;
}

TEST(Check, LegalSchedulesHaveNoProblem) {
  EXPECT_TRUE(check("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1", oneLaneAStage(2)).empty());
  EXPECT_TRUE(check("0F0,0I0,0W0", oneLaneAStage(1)).empty());
  EXPECT_TRUE(check("0F0,0F1,0I0,0B1,0W0\n1F0,1F1,1B0,1I1,1W1", oneLaneAStage(2)).empty());
}

TEST(Check, DeadlockIsNamedByTheBlockingPair) {
  EXPECT_EQ(onlyMessage("0F0,0B0,0F1,0B1\n1F0,1F1,1B0,1B1", Kind::Deadlock),
            "Deadlock: lane 0 waits at 0B0 for 1B0, while lane 1 waits at 1F1 for 0F1.");
}

TEST(Check, DeadlockOfALaneWithItself) {
  EXPECT_EQ(onlyMessage("0B0,0F0", Kind::Deadlock, oneLaneAStage(1)),
            "Deadlock: lane 0 waits at 0B0 for 0F0, which comes later on the same lane.");
  EXPECT_EQ(onlyMessage("0F0,0W0,0I0", Kind::Deadlock, oneLaneAStage(1)),
            "Deadlock: lane 0 waits at 0W0 for 0I0, which comes later on the same lane.");
}

TEST(Check, DeadlockOfThreeLanesNamesAllThree) {
  const std::vector<LaneId> lane_of_stage = {LaneId(0), LaneId(1), LaneId(2), LaneId(0)};
  EXPECT_EQ(
      onlyMessage("0F0,0B0,3F0,3B0\n1F0,1B0\n2F0,2B0", Kind::Deadlock, lane_of_stage),
      "Deadlock: lane 0 waits at 0B0 for 1B0, while lane 1 waits at 1B0 for 2B0, and lane 2 waits at 2B0 for 3B0.");
}

TEST(Check, MissingDoubleWrongAndUnknownActionsAreNamed) {
  EXPECT_NE(onlyMessage("0F0,0B0\n1F0", Kind::MissingAction).find("1B0 is missing"), std::string::npos);
  EXPECT_NE(onlyMessage("0F0,0F0,0B0\n1F0,1B0", Kind::DoubleAction).find("0F0 appears twice"), std::string::npos);
  EXPECT_NE(onlyMessage("0F0,0B0,1B0\n1F0", Kind::WrongLane).find("1B0 is on lane 0, but stage 1 is on lane 1"),
            std::string::npos);
  EXPECT_NE(onlyMessage("0F0,0B0\n1F0,1B0,1W0", Kind::DoubleAction).find("either B, or I and W"), std::string::npos);
  EXPECT_NE(onlyMessage("0F0,0B0\n1F0,1I0", Kind::MissingAction).find("1W0 is missing"), std::string::npos);
  const auto unknown = checkSchedule(Schedule{1, 1, {{*parseAction("0F0"), *parseAction("0B0"), *parseAction("0F7")}}},
                                     oneLaneAStage(1));
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_EQ(unknown[0].kind, Kind::UnknownAction);
}

TEST(Check, AStageWithoutAnyActionIsMissing) {
  const auto problems = check("0F0,0B0", oneLaneAStage(2));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].kind, Kind::MissingAction);
}

TEST(Check, AClaimOfHugeCountsCostsNothing) {
  const auto problems = check("32766F32766", oneLaneAStage(32767));
  EXPECT_FALSE(problems.empty());
  EXPECT_LE(problems.size(), 20u);
}

TEST(Check, GeneratedSchedulesOverAnyPlacementAreLegal) {
  std::mt19937 random(7);
  for (int round = 0; round < test::casesOf(300); ++round) {
    const int lanes = 1 + static_cast<int>(random() % 6), stages = 1 + static_cast<int>(random() % 10),
              micro_batches = 1 + static_cast<int>(random() % 12);
    std::vector<LaneId> lane_of_stage;
    for (int s = 0; s < stages; ++s)
      lane_of_stage.emplace_back(static_cast<int>(random() % static_cast<unsigned>(lanes)));
    for (const ScheduleKind name :
         {ScheduleKind::Gpipe, ScheduleKind::OneFOneB, ScheduleKind::ZbH1, ScheduleKind::List}) {
      const Result<Schedule> schedule = generateSchedule(name, lane_of_stage, lanes, micro_batches, WindowKind::Step);
      ASSERT_TRUE(schedule.ok()) << schedule.error().message;
      const auto problems = checkSchedule(*schedule, lane_of_stage);
      EXPECT_TRUE(problems.empty()) << problems.front().message << "\n" << toCsv(*schedule);
    }
  }
}

TEST(Check, SwappingActionsIsEitherLegalOrNamed) {
  std::mt19937 random(11);
  for (int round = 0; round < test::casesOf(300); ++round) {
    Schedule schedule =
        std::move(generateSchedule(ScheduleKind::OneFOneB, oneLaneAStage(3), 3, 5, WindowKind::Step)).value();
    auto& row = schedule.lanes[random() % 3];
    std::swap(row[random() % row.size()], row[random() % row.size()]);
    for (const ScheduleProblem& problem : checkSchedule(schedule, oneLaneAStage(3))) {
      EXPECT_EQ(problem.kind, Kind::Deadlock);
      EXPECT_NE(problem.message.find("waits at"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace lanelab
