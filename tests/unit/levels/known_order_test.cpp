// SPDX-License-Identifier: GPL-3.0-only
// A finished order is called by the name of the schedule that makes it, and no other is.
#include "engine/levels/known_order.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/unit/levels/built_order.h"

namespace lanelab {
namespace {

std::set<std::string_view> titlesOf(const char* key) {
  std::set<std::string_view> titles;
  for (const KnownOrder& order : knownOrders(test::levelOf(key))) titles.insert(order.title);
  return titles;
}

TEST(KnownOrders, AreThoseThatTakeTheStagesOfTheLevel) {
  using Titles = std::set<std::string_view>;
  EXPECT_EQ(titlesOf("gpipe-4"), (Titles{"GPipe", "1F1B"}));
  EXPECT_EQ(titlesOf("interleaved-1f1b"), (Titles{"GPipe", "1F1B", "Interleaved 1F1B", "Looped BFS"}));
  for (const char* title : {"GPipe", "1F1B", "ZB-H1", "ZB-H2"}) EXPECT_TRUE(titlesOf("zb-h1").contains(title)) << title;
  for (const char* title : {"ZB-V", "DualPipeV", "Hanayo", "V-Min"})
    EXPECT_TRUE(titlesOf("zb-v").contains(title)) << title;
}

TEST(KnownOrders, AreEachRecognisedAndANeighbourIsNot) {
  for (const Level& level : levels()) {
    const auto known = knownOrders(level);
    for (const KnownOrder& order : known) {
      EXPECT_EQ(recognised(order.schedule, known), &order) << level.key << ", " << order.title;
      for (std::size_t lane = 0; lane < order.schedule.lanes.size(); ++lane) {
        for (std::size_t i = 1; i < order.schedule.lanes[lane].size(); ++i) {
          Schedule neighbour = order.schedule;
          std::swap(neighbour.lanes[lane][i - 1], neighbour.lanes[lane][i]);
          EXPECT_NE(recognised(neighbour, known), &order) << level.key << ", " << order.title;
        }
      }
    }
  }
}

TEST(KnownOrders, OfALevelWithSplitBackwardsNoneIsWhole) {
  for (const KnownOrder& order : knownOrders(test::levelOf("zb-v")))
    for (const auto& row : order.schedule.lanes)
      for (const Action& action : row) EXPECT_NE(action.kind, ActionKind::Backward) << order.title;
}

TEST(Verdict, OfAnOrderOfItsOwnNamesAKnownOneBesideIt) {
  const Level& level = test::levelOf("gpipe");
  LevelBoard board(level);
  for (const char* move : {"0F0", "1F0", "1B0", "0B0", "0F1", "1F1", "1B1", "0B1"})
    ASSERT_TRUE(board.place(test::action(move))) << move;
  const auto known = knownOrders(level);
  EXPECT_EQ(recognised(board.schedule(), known), nullptr);
  EXPECT_EQ(verdict(board, known).message, "An order of your own: 12 units, 3 above par; 1F1B has 9.");
}

TEST(Verdict, OfTheComparedOrderItselfComparesWithTheTarget) {
  const Level& level = test::levelOf("split-backward");
  const auto known = knownOrders(level);
  const LevelBoard board = test::built(level, test::orderOf(known, "1F1B").schedule);
  EXPECT_EQ(verdict(board, known).message, "You built 1F1B with split backwards: 11 units, 1 above par.");
  EXPECT_EQ(comparedWith(board, known).title, "ZB-H1");
  EXPECT_EQ(test::orderOf(known, "1F1B").step, 12) << "with whole backwards lane 0 waits for the weight part, too";
}

}  // namespace
}  // namespace lanelab
