// SPDX-License-Identifier: GPL-3.0-only
// What a screen reader hears of the window by itself: the phases of a run and how far it is, and messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gui/accessible/heard.h"
#include "tests/gui/window/window_world.h"
#include "ui/look/message_strip.h"

namespace lanelab {
namespace {

using ::testing::Contains;
using ::testing::StartsWith;

TEST(HeardWindow, ARunSaysItsPhasesAndHowFarItIs) {
  test::WindowWorld w;
  test::Heard heard;
  ASSERT_TRUE(w.runToTheEnd());
  EXPECT_THAT(heard.of(QAccessible::NameChanged), Contains(StartsWith("Preparing")));
  EXPECT_THAT(heard.of(QAccessible::ValueChanged), Contains("Progress"));
}

TEST(HeardWindow, AMessageIsAnAlertAndTheNameOfItsText) {
  test::WindowWorld w;
  test::Heard heard;
  w.window->messages().warn("The disk is full.");
  EXPECT_THAT(heard.of(QAccessible::NameChanged), Contains("The disk is full."));
  EXPECT_EQ(heard.of(QAccessible::Alert).size(), 1U);
}

TEST(HeardWindow, BoardTimelineAndChartsHaveTheirOwnInterfaces) {
  test::WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  const struct {
    const char* widget;
    QAccessible::Role role;
  } rows[] = {{"board", QAccessible::List},
              {"timeline", QAccessible::List},
              {"lossChart", QAccessible::Chart},
              {"comparisonChart", QAccessible::Chart}};
  for (const auto& [widget, role] : rows)
    EXPECT_EQ(QAccessible::queryAccessibleInterface(w.find<QWidget>(widget))->role(), role) << widget;
}

}  // namespace
}  // namespace lanelab
