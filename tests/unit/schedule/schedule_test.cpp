// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/schedule.h"

#include <gtest/gtest.h>

#include "engine/schedule/generate.h"
#include "tests/unit/schedule/made_schedule.h"

namespace lanelab {
namespace {

using test::oneLaneAStage;

Schedule generated(const std::string& name, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches) {
  Result<Schedule> schedule =
      generateSchedule(*parseScheduleName(name), lane_of_stage, lanes, micro_batches, WindowKind::Step);
  EXPECT_TRUE(schedule.ok()) << (schedule.ok() ? "" : schedule.error().message);
  return std::move(schedule).value();
}

// PyTorch's own loops (Schedule1F1B._step_microbatches), without its communication.
std::string pytorch1f1b(int stage, int stages, int micro_batches) {
  std::string row;
  const auto add = [&](char phase, int k) {
    row += (row.empty() ? "" : ",") + std::to_string(stage) + phase + std::to_string(k);
  };
  const int warm_up = std::min(micro_batches, stages - stage);
  int forward = 0, backward = 0;
  for (; forward < warm_up; ++forward) add('F', forward);
  while (true) {
    add('B', backward++);
    if (forward == micro_batches) break;
    add('F', forward++);
  }
  while (backward < micro_batches) add('B', backward++);
  return row + "\n";
}

TEST(Action, PrintsAndParses) {
  EXPECT_EQ(toString(Action{StageId(10), ActionKind::BackwardWeight, MicroBatchId(23)}), "10W23");
  EXPECT_EQ(toString(Action{StageId(2), ActionKind::Update, MicroBatchId(0)}), "2U");
  for (const char* text : {"0F1", "12B34", "3I0", "3W0", "7U"}) {
    ASSERT_TRUE(parseAction(text)) << text;
    EXPECT_EQ(toString(*parseAction(text)), text);
  }
  for (const char* bad :
       {"", "F", "0", "0F", "F0", "0X1", "0F-1", "+0F1", "0F1 ", "0SEND_F1", "0U1", "0F99999999999", "99999F0"})
    EXPECT_FALSE(parseAction(bad)) << bad;
}

TEST(Generate, OneStageALaneIsPytorchs1f1b) {
  for (int stages = 1; stages <= 8; ++stages) {
    for (const int micro_batches : {1, 2, 3, 4, 7, 8, 16, 32}) {
      std::string expected;
      for (int s = 0; s < stages; ++s) expected += pytorch1f1b(s, stages, micro_batches);
      EXPECT_EQ(toCsv(generated("1f1b", oneLaneAStage(stages), stages, micro_batches)), expected)
          << stages << " stages, " << micro_batches;
    }
  }
}

TEST(Generate, GpipeDoesAllForwardsThenAllBackwardsInOrder) {
  EXPECT_EQ(toCsv(generated("gpipe", oneLaneAStage(2), 2, 3)), "0F0,0F1,0F2,0B0,0B1,0B2\n1F0,1F1,1F2,1B0,1B1,1B2\n");
}

TEST(Generate, SeveralStagesALaneAreMerged) {
  const std::vector<LaneId> zigzag = {LaneId(0), LaneId(1), LaneId(0)};
  EXPECT_EQ(toCsv(generated("gpipe", zigzag, 2, 2)), "0F0,0F1,2F0,2F1,2B0,2B1,0B0,0B1\n1F0,1F1,1B0,1B1\n");
  EXPECT_EQ(toCsv(generated("1f1b", zigzag, 2, 2)), "0F0,0F1,2F0,2B0,2F1,0B0,2B1,0B1\n1F0,1F1,1B0,1B1\n");
}

TEST(Generate, AKnownLongStageOfALaneGoesWhenItIsReady) {
  // Lane 0 has stages 0 and 2. With all alike 2F0 is ready when 0F2 is; with a long stage 1 it is not, and lane 0 goes
  // on.
  const std::vector<LaneId> zigzag = {LaneId(0), LaneId(1), LaneId(0)};
  const auto row = [&](std::vector<StageTimes> times) {
    const std::string csv =
        toCsv(std::move(generateSchedule(ScheduleKind::Gpipe, zigzag, 2, 4, WindowKind::Step, times)).value());
    return csv.substr(0, csv.find('\n'));
  };
  EXPECT_EQ(row({}), "0F0,0F1,2F0,2F1,0F2,0F3,2F2,2F3,2B0,2B1,0B0,0B1,2B2,2B3,0B2,0B3");
  EXPECT_EQ(row({{1, 2}, {3, 6}, {1, 2}}), "0F0,0F1,0F2,0F3,2F0,2F1,2F2,2F3,2B0,2B1,2B2,2B3,0B0,0B1,0B2,0B3");
}

TEST(Generate, LanesWithoutAStageHaveAnEmptyRow) {
  EXPECT_EQ(toCsv(generated("gpipe", {LaneId(2)}, 3, 1)), "\n\n0F0,0B0\n");
}

TEST(Generate, BadRequestsSayWhy) {
  const auto message = [](const std::string& name, const std::vector<LaneId>& lanes, int rows, int m) {
    const Result<ScheduleKind> kind = parseScheduleName(name);
    if (!kind.ok()) return kind.error().message;
    const Result<Schedule> schedule = generateSchedule(*kind, lanes, rows, m, WindowKind::Step);
    return schedule.ok() ? std::string("accepted") : schedule.error().message;
  };
  EXPECT_NE(message("gpip", {LaneId(0)}, 1, 1).find("did you mean \"gpipe\""), std::string::npos);
  EXPECT_NE(message("zero-bubble", {LaneId(0)}, 1, 1).find("choose gpipe, 1f1b"), std::string::npos);
  EXPECT_NE(message("gpipe", {}, 1, 1).find("at least 1 stage"), std::string::npos);
  EXPECT_NE(message("gpipe", {LaneId(0)}, 1, 0).find("at least 1 micro-batch"), std::string::npos);
  EXPECT_NE(message("gpipe", {LaneId(0)}, 1, 40000).find("at most 32767 micro-batches"), std::string::npos);
  EXPECT_NE(message("gpipe", {LaneId(3)}, 2, 1).find("is on lane 3"), std::string::npos);
}

TEST(Csv, RoundTripsAndTakesIdleCells) {
  const Schedule schedule = generated("1f1b", oneLaneAStage(4), 4, 8);
  const Result<Schedule> again = parseScheduleCsv(toCsv(schedule));
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, schedule);

  const Result<Schedule> pytorch = parseScheduleCsv("0F0,,,0B0\r\n,1F0,1B0,\r\n");
  ASSERT_TRUE(pytorch.ok()) << pytorch.error().message;
  EXPECT_EQ(toCsv(*pytorch), "0F0,0B0\n1F0,1B0\n");
}

TEST(Csv, ErrorsNameRowAndCell) {
  const auto message = [](const char* text) {
    const Result<Schedule> schedule = parseScheduleCsv(text);
    return schedule.ok() ? std::string("accepted") : schedule.error().message;
  };
  EXPECT_NE(message("0F0,0B0\n1F0,oops").find("Row 2, cell 2: \"oops\""), std::string::npos);
  EXPECT_NE(message("0F0,0SEND_F0").find("Row 1, cell 2"), std::string::npos);
  EXPECT_NE(message("0F0,0U").find("Row 1, cell 2"), std::string::npos);
  EXPECT_NE(message("").find("holds no action"), std::string::npos);
  EXPECT_NE(message(",,\n,").find("holds no action"), std::string::npos);
}

TEST(Grid, ShowsThePictureInUnitTimes) {
  EXPECT_EQ(toGrid(generated("gpipe", oneLaneAStage(2), 2, 2)),
            "lane 0  0F0  0F1  .    .    0B0  0B1\n"
            "lane 1  .    1F0  1F1  1B0  1B1  .\n");
  EXPECT_EQ(toGrid(generated("1f1b", oneLaneAStage(2), 2, 2)),
            "lane 0  0F0  0F1  .    0B0  .    0B1\n"
            "lane 1  .    1F0  1B0  1F1  1B1  .\n");
}

TEST(Csv, EverySchedulesTextReadsBack) {
  for (const std::string& name : knownScheduleNames()) {
    const test::Made schedule =
        test::made(name, turnsAtTheLastLane(*parseScheduleName(name)) ? test::inV(3) : test::round(6, 3), 7);
    const Result<Schedule> again = parseScheduleCsv(toCsv(schedule.schedule));
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, schedule.schedule);
    EXPECT_EQ(lanesOfRows(*again), schedule.lane_of_stage);
  }
}

TEST(Grid, ShowsSplitBackwards) {
  EXPECT_EQ(toGrid(test::made("zb-h1", test::round(2, 2), 3).schedule),
            "lane 0  0F0  0F1  .    0I0  0W0  0F2  0I1  0W1  0I2  0W2\n"
            "lane 1  .    1F0  1I0  1F1  1I1  1W0  1F2  1I2  1W1  1W2\n");
}

}  // namespace
}  // namespace lanelab
