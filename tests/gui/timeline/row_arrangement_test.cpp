// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/row_arrangement.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

using Order = std::vector<int>;

TEST(RowArrangement, AtFirstShowsActionsTransfersAndStreamsInTheTracesOrder) {
  const RowArrangement rows;
  EXPECT_TRUE(rows.shows(RowKind::Actions));
  EXPECT_TRUE(rows.shows(RowKind::Transfers));
  EXPECT_TRUE(rows.shows(RowKind::Streams));
  for (const RowKind kind : {RowKind::Blocks, RowKind::Operators, RowKind::HostThreads, RowKind::Counters})
    EXPECT_FALSE(rows.shows(kind));
  EXPECT_EQ(rows.order(3), (Order{0, 1, 2}));
  EXPECT_FALSE(rows.arrangesLanes());
}

TEST(RowArrangement, DetailsAreBlocksOperatorsAndHostThreadsTogether) {
  RowArrangement rows;
  rows.showDetails(true);
  EXPECT_TRUE(rows.showsDetails() && rows.shows(RowKind::Blocks) && rows.shows(RowKind::Operators) &&
              rows.shows(RowKind::HostThreads));
  rows.show(RowKind::Operators, false);
  EXPECT_FALSE(rows.showsDetails());
  EXPECT_TRUE(rows.shows(RowKind::Blocks));
}

TEST(RowArrangement, ActionsCannotBeHidden) {
  RowArrangement rows;
  rows.show(RowKind::Actions, false);
  EXPECT_TRUE(rows.shows(RowKind::Actions));
}

TEST(RowArrangement, EveryKindHasAKeyOfItsOwn) {
  std::set<std::string> keys;
  for (const RowKind kind : kChosenRowKinds) keys.insert(toWord(kind));
  EXPECT_EQ(keys.size(), std::size(kChosenRowKinds));
}

TEST(RowArrangement, ALaneGoesBeforeAnotherOrToTheEnd) {
  const struct {
    int lane;
    std::optional<int> next;
    Order order;
  } kRows[] = {{2, 0, {2, 0, 1, 3}}, {0, 3, {1, 2, 0, 3}}, {0, std::nullopt, {1, 2, 3, 0}},
               {3, 3, {0, 1, 2, 3}}, {1, 2, {0, 1, 2, 3}}, {9, 0, {0, 1, 2, 3}}};
  for (const auto& row : kRows) {
    RowArrangement rows;
    rows.moveBefore(row.lane, row.next, 4);
    EXPECT_EQ(rows.order(4), row.order) << "lane " << row.lane;
  }
}

TEST(RowArrangement, ALaneMovesOnePlaceAsFarAsItGoes) {
  RowArrangement rows;
  EXPECT_FALSE(rows.moveBy(0, -1, rows.order(3), 3));
  EXPECT_FALSE(rows.moveBy(2, +1, rows.order(3), 3));
  EXPECT_FALSE(rows.arrangesLanes());
  EXPECT_TRUE(rows.moveBy(0, +1, rows.order(3), 3));
  EXPECT_TRUE(rows.moveBy(0, +1, rows.order(3), 3));
  EXPECT_EQ(rows.order(3), (Order{1, 2, 0}));
}

/// A variant may leave lanes out: what is not seen is no place.
TEST(RowArrangement, ALaneMovesPastTheLanesThatAreNotSeen) {
  const struct {
    int lane;
    int direction;
    bool moves;
    Order order;
  } kRows[] = {{0, +1, true, {1, 2, 3, 0, 4}},  {3, -1, true, {3, 0, 1, 2, 4}}, {0, -1, false, {0, 1, 2, 3, 4}},
               {4, +1, false, {0, 1, 2, 3, 4}}, {4, -1, true, {0, 1, 2, 4, 3}}, {2, +1, false, {0, 1, 2, 3, 4}}};
  for (const auto& row : kRows) {
    RowArrangement rows;
    EXPECT_EQ(rows.moveBy(row.lane, row.direction, {0, 3, 4}, 5), row.moves) << "lane " << row.lane;
    EXPECT_EQ(rows.order(5), row.order) << "lane " << row.lane;
  }
}

TEST(RowArrangement, PinnedLanesComeFirstInTheirOwnOrder) {
  RowArrangement rows;
  rows.moveBefore(3, 0, 4);
  rows.pin(2, true);
  rows.pin(3, true);
  EXPECT_EQ(rows.order(4), (Order{3, 2, 0, 1}));
  EXPECT_FALSE(rows.moveBy(2, +1, rows.order(4), 4)) << "below it begin the others";
  rows.moveBefore(2, std::nullopt, 4);
  EXPECT_EQ(rows.order(4), (Order{3, 2, 0, 1}));
  rows.pin(3, false);
  EXPECT_EQ(rows.order(4), (Order{2, 3, 0, 1}));
}

TEST(RowArrangement, LanesThatComeLaterFollow) {
  RowArrangement rows;
  rows.moveBefore(1, 0, 2);
  EXPECT_EQ(rows.order(4), (Order{1, 0, 2, 3}));
  EXPECT_EQ(rows.order(1), (Order{0})) << "a trace with fewer lanes";
}

TEST(RowArrangement, ForgettingLanesKeepsTheKinds) {
  RowArrangement rows;
  rows.show(RowKind::Counters, true);
  rows.collapseAll(3, true);
  rows.pin(1, true);
  rows.moveBy(0, +1, rows.order(3), 3);
  EXPECT_TRUE(rows.isCollapsed(2) && rows.isPinned(1) && rows.arrangesLanes());
  rows.forgetLanes();
  EXPECT_FALSE(rows.isCollapsed(2) || rows.isPinned(1) || rows.arrangesLanes());
  EXPECT_TRUE(rows.shows(RowKind::Counters));
}

}  // namespace
}  // namespace lanelab
