// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "ui/timeline/layout/wheel_move.h"

namespace lanelab {
namespace {

using look::WheelUse;

enum class What { Zooms, Pans, Scrolls };

What kindOf(const WheelMove& move) {
  EXPECT_EQ((move.zoom != 1) + (move.pan != 0) + (move.scroll != 0), 1) << "one thing at a time";
  return move.zoom != 1 ? What::Zooms : move.pan != 0 ? What::Pans : What::Scrolls;
}

WheelTurn turned(QPointF notches, Qt::KeyboardModifiers held) {
  return {notches, notches * 15, held, false, false, 1000};
}

constexpr auto kNone = Qt::NoModifier, kControl = Qt::ControlModifier, kShift = Qt::ShiftModifier;

TEST(WheelMove, IsOneOfThreeByKeysAndSetting) {
  struct Row {
    QPointF notches;
    Qt::KeyboardModifiers held;
    What if_zooms, if_scrolls;
  };
  const Row rows[] = {
      {{0, 1}, kNone, What::Zooms, What::Scrolls},     {{0, 1}, kControl, What::Scrolls, What::Zooms},
      {{0, 1}, kShift, What::Pans, What::Pans},        {{0, 1}, kShift | kControl, What::Pans, What::Pans},
      {{1, 0}, kNone, What::Pans, What::Pans},         {{1, 0}, kShift, What::Pans, What::Pans},
      {{0.1, 0.5}, kNone, What::Zooms, What::Scrolls}, {{0, -0.25}, kControl, What::Scrolls, What::Zooms},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << row.notches.x() << " " << row.notches.y() << " " << row.held.toInt());
    EXPECT_EQ(kindOf(wheelMove(turned(row.notches, row.held), WheelUse::Zooms)), row.if_zooms);
    EXPECT_EQ(kindOf(wheelMove(turned(row.notches, row.held), WheelUse::Scrolls)), row.if_scrolls);
  }
}

TEST(WheelMove, GoesTheWayOfTheWheel) {
  EXPECT_LT(wheelMove(turned({0, 1}, kNone), WheelUse::Zooms).zoom, 1) << "away from the user: closer";
  EXPECT_LT(wheelMove(turned({0, 1}, kNone), WheelUse::Scrolls).scroll, 0);
  EXPECT_LT(wheelMove(turned({0, 1}, kShift), WheelUse::Zooms).pan, 0);
  EXPECT_LT(wheelMove(turned({1, 0}, kNone), WheelUse::Zooms).pan, 0);
}

TEST(WheelMove, OverHeadersScrolls) {
  WheelTurn turn = turned({0, -1}, kNone);
  turn.over_headers = true;
  EXPECT_GT(wheelMove(turn, WheelUse::Zooms).scroll, 0);
  EXPECT_EQ(wheelMove(turn, WheelUse::Zooms), wheelMove(turn, WheelUse::Scrolls));
}

TEST(WheelMove, OfATouchpadFollowsTheFingersOrZoomsWithCtrl) {
  for (const WheelUse use : {WheelUse::Zooms, WheelUse::Scrolls}) {
    WheelTurn turn{{-1, 2}, {-50, 100}, kNone, true, false, 1000};
    EXPECT_EQ(wheelMove(turn, use), (WheelMove{1, 0.05, -100}));
    turn.held = kControl;
    EXPECT_EQ(kindOf(wheelMove(turn, use)), What::Zooms);
    turn.width = 0;
    turn.held = kNone;
    EXPECT_EQ(wheelMove(turn, use).pan, 0) << "while there is no body";
  }
}

}  // namespace
}  // namespace lanelab
