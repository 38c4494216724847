// SPDX-License-Identifier: GPL-3.0-only
// Which moves can run, what is said of those that cannot, and what a board counts.
#include "engine/levels/level_board.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "tests/unit/levels/built_order.h"

namespace lanelab {
namespace {

using test::action;

LevelBoard boardWith(std::string_view key, const std::vector<std::string>& moves) {
  LevelBoard board(test::levelOf(key));
  for (const std::string& move : moves) EXPECT_TRUE(board.place(action(move))) << move;
  return board;
}

TEST(LevelBoard, SaysOfEachIllegalMoveWhy) {
  struct {
    const char* key;
    std::vector<std::string> placed;
    const char* move;
    int lane;
    const char* why;
  } const rows[] = {
      {"gpipe", {}, "1F0", 1, "1F0 on lane 1 waits for 0F0 of lane 0, which is not placed yet."},
      {"gpipe", {"0F0"}, "1B0", 1, "1B0 on lane 1 waits for 1F0 of lane 1, which is not placed yet."},
      {"gpipe", {"0F0", "1F0"}, "0B0", 0, "0B0 on lane 0 waits for 1B0 of lane 1, which is not placed yet."},
      {"split-backward", {"0F0", "1F0"}, "0I0", 0, "0I0 on lane 0 waits for 1I0 of lane 1, which is not placed yet."},
      {"split-backward", {"0F0", "1F0"}, "1W0", 1, "1W0 on lane 1 waits for 1I0 of lane 1, which is not placed yet."},
      {"zb-v", {"0F0"}, "3F0", 0, "3F0 on lane 0 waits for 2F0 of lane 1, which is not placed yet."},
      {"gpipe", {}, "0F0", 1, "0F0 cannot be on lane 1: stage 0 is on lane 0."},
      {"zb-v", {}, "2F0", 0, "2F0 cannot be on lane 0: stage 2 is on lane 1."},
      {"gpipe", {"0F0"}, "0F0", 0, "0F0 is placed already."},
      {"1f1b",
       {"0F0", "0F1", "0F2"},
       "0F3",
       0,
       "With 0F3 lane 0 would store 4 activations, and its limit is 3: place what ends a backward first."},
      {"zb-h2",
       {"0F0", "0F1", "0F2", "0F3", "0F4"},
       "0I0",
       0,
       "0I0 on lane 0 waits for 1I0 of lane 1, which is not placed yet."}};
  for (const auto& row : rows) {
    LevelBoard board = boardWith(row.key, row.placed);
    const auto why = board.whyNot(action(row.move), LaneId(row.lane));
    ASSERT_TRUE(why.has_value()) << row.move;
    EXPECT_EQ(why->message, row.why);
    if (board.laneOf(action(row.move)).value != row.lane) continue;
    EXPECT_FALSE(board.place(action(row.move)));
    EXPECT_EQ(board.placed().size(), row.placed.size()) << row.move;
  }
}

TEST(LevelBoard, AnInputPartFreesNothingAndAWeightPartDoes) {
  LevelBoard board = boardWith("zb-h1", {"0F0", "0F1", "0F2", "1F0", "2F0", "2I0", "1I0", "0I0"});
  EXPECT_EQ(board.storedOn(LaneId(0)), 3);
  EXPECT_FALSE(board.place(action("0F3")));
  EXPECT_TRUE(board.place(action("0W0")));
  EXPECT_EQ(board.storedOn(LaneId(0)), 2);
  EXPECT_TRUE(board.place(action("0F3")));
  EXPECT_EQ(board.mostStoredOn(LaneId(0)), 3);
  EXPECT_EQ(board.mostStoredOn(LaneId(2)), 1);
}

TEST(LevelBoard, AnActionStartsWhenItsInputIsThereAndItsLaneIsFree) {
  LevelBoard board = boardWith("gpipe", {"0F0", "0F1", "1F0", "1F1", "1B0"});
  EXPECT_EQ(board.preview(action("0B0")).start, 5) << "1B0 ends then, long after 0F1";
  EXPECT_EQ(board.preview(action("1B1")).start, 5) << "its lane is free then";
  EXPECT_EQ(board.preview(action("1B1")).end, 7);
  EXPECT_EQ(board.step(), 5);
  EXPECT_DOUBLE_EQ(board.idleShare(), 1 - 6.0 / 10);
}

TEST(LevelBoard, TheLeastStepGrowsByWhatAMoveWastes) {
  LevelBoard board = boardWith("gpipe", {"0F0", "1F0", "1B0"});
  EXPECT_EQ(board.leastStep(), 9);
  EXPECT_TRUE(board.place(action("0B0")));
  EXPECT_EQ(board.leastStep(), 12) << "0F1 behind it ends at 7, and 1F1, 1B1 and 0B1 take 5 more";
  board.undo();
  EXPECT_TRUE(board.place(action("0F1")));
  EXPECT_EQ(board.leastStep(), 9);
}

TEST(LevelBoard, MovesAreUndoneAndDoneAgain) {
  LevelBoard board = boardWith("gpipe", {"0F0", "0F1"});
  EXPECT_TRUE(board.undo());
  EXPECT_FALSE(board.isPlaced(action("0F1")));
  EXPECT_TRUE(board.canRedo());
  EXPECT_TRUE(board.redo());
  EXPECT_TRUE(board.isPlaced(action("0F1")));
  board.clear();
  EXPECT_FALSE(board.canUndo());
  EXPECT_TRUE(board.redo());
  EXPECT_TRUE(board.isPlaced(action("0F0"))) << "the first one comes back first";
  board.place(action("1F0"));
  EXPECT_FALSE(board.canRedo()) << "another was placed since";
  EXPECT_EQ(toCsv(board.schedule()), "0F0\n1F0\n");
}

}  // namespace
}  // namespace lanelab
