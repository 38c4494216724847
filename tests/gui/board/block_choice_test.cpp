// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/block_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanelab {
namespace {

using ::testing::ElementsAre;

TEST(BlockChoice, AWalkChoosesOneBlockAndAnExtendedOneAllFromWhereItBegan) {
  BlockChoice choice;
  choice.walkTo(4, false);
  EXPECT_THAT(choice.chosen(), ElementsAre(4));
  choice.walkTo(2, true);
  EXPECT_THAT(choice.chosen(), ElementsAre(2, 3, 4));
  choice.walkTo(5, true);
  EXPECT_THAT(choice.chosen(), ElementsAre(4, 5));
  EXPECT_EQ(choice.focus(), 5);
}

TEST(BlockChoice, KeysMeanTheBlockTheyAreAtWhileNoneIsChosen) {
  BlockChoice choice;
  choice.toggle(3);
  EXPECT_THAT(choice.blocksForKeys(), ElementsAre(BlockId(3)));
  choice.toggle(3);
  EXPECT_TRUE(choice.chosen().empty());
  EXPECT_THAT(choice.blocksForKeys(), ElementsAre(BlockId(3)));
}

TEST(BlockChoice, OfASmallerModelTheBlocksThatAreGoneAreDropped) {
  BlockChoice choice;
  choice.chooseFrom({2, 5, 7});
  choice.walkTo(7, true);
  choice.limit(4);
  EXPECT_THAT(choice.chosen(), ElementsAre(2, 3));
  EXPECT_EQ(choice.focus(), 3);
}

}  // namespace
}  // namespace lanelab
