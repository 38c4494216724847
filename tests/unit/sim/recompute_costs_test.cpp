// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "engine/sim/measured_costs.h"

namespace lanelab {
namespace {

TEST(RecomputeCosts, OnlyTheBackwardsOfThoseStagesTakeTheForwardAgain) {
  CostModel costs;
  costs.blocks = {{"a", 1, 2, 0.5, 0}, {"b", 3, 6, 2, 0}, {"c", 5, 10, 4, 0}};
  const std::vector<Stage> stages = {{StageId(0), LaneId(0), BlockId(0), BlockId(1)},
                                     {StageId(1), LaneId(1), BlockId(1), BlockId(3)}};
  const CostModel again = recomputing(costs, stages, {false, true});
  EXPECT_EQ(again.blocks[0], costs.blocks[0]);
  EXPECT_EQ(again.blocks[1].backward, 9);
  EXPECT_EQ(again.blocks[2].backward, 15);
  EXPECT_EQ(again.blocks[2].backward_weight, 4) << "the weight part finds its activations there";
  EXPECT_EQ(recomputing(costs, stages, {}), costs);
}

}  // namespace
}  // namespace lanelab
