// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/measured_costs.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

TEST(StageTimes, AreMillionthsOfAMicroBatchWithTheLanesSlowness) {
  CostModel costs;
  costs.blocks = {{"a", 0.001, 0.002, 0.001, 9}, {"b", 0.001, 0.003, 0.0005, 9}, {"c", 0.001, 0.002, 0, 9}};
  costs.transfers = {0, 0};
  const std::vector<Stage> stages = {{StageId(0), LaneId(0), BlockId(0), BlockId(2)},
                                     {StageId(1), LaneId(1), BlockId(2), BlockId(3)}};
  const std::vector<StageTimes> times = stageTimesOf(costs, stages);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].forward, 200'000);
  EXPECT_EQ(times[0].backward, 500'000);
  EXPECT_EQ(times[0].weight, 150'000);
  EXPECT_EQ(times[1].backward, 200'000);

  costs.lane_slowness = {1, 3};  // 7 ms and 9 ms
  EXPECT_EQ(stageTimesOf(costs, stages)[1].backward, 375'000);
}

TEST(StageTimes, AreNothingWhereNothingCostsTime) {
  CostModel costs;
  costs.blocks = {{"a", 0, 0, 0, 0}};
  const std::vector<StageTimes> times = stageTimesOf(costs, {{StageId(0), LaneId(0), BlockId(0), BlockId(1)}});
  EXPECT_EQ(times[0].forward, 0);
}

}  // namespace
}  // namespace lanelab
