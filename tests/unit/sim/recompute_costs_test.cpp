// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "engine/sim/measured_costs.h"

namespace lanelab {
namespace {

TEST(RecomputeCosts, OnlyTheBackwardsOfThoseBlocksTakeTheirPartOfTheForwardAgain) {
  CostModel costs;
  costs.blocks = {{"a", 1, 2, 0.5, 0}, {"b", 3, 6, 2, 0}, {"c", 5, 10, 4, 0}};
  const CostModel again = recomputing(costs, {0, 1, 1});
  EXPECT_EQ(again.blocks[0], costs.blocks[0]);
  EXPECT_EQ(again.blocks[1].backward, 9);
  EXPECT_EQ(again.blocks[2].backward, 15);
  EXPECT_EQ(again.blocks[2].backward_weight, 4) << "the weight part finds its activations there";
  EXPECT_EQ(recomputing(costs, {0, 0.25, 0}).blocks[1].backward, 6.75);
  EXPECT_EQ(recomputing(costs, {}), costs);
}

}  // namespace
}  // namespace lanelab
