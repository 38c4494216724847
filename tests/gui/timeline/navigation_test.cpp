// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "ui/timeline/layout/navigation.h"

#include "tests/gui/timeline/timeline_world.h"

namespace lanelab {
namespace {

using testworld::kMs;

/// Three steps of 100 ms with 10 ms between.
Navigation threeSteps() {
  Navigation navigation;
  navigation.setTrace({0, 320 * kMs}, {{0, {0, 100 * kMs}}, {1, {110 * kMs, 210 * kMs}}, {2, {220 * kMs, 320 * kMs}}},
                      true);
  return navigation;
}

bool shows(const Navigation& navigation, Nanoseconds from_ms, Nanoseconds to_ms) {
  const TimeRange seen = navigation.visible();
  return std::abs(seen.start - from_ms * kMs) <= 4 * kMs && std::abs(seen.end - to_ms * kMs) <= 4 * kMs;
}

TEST(Navigation, ANewTraceIsSeenWhole) {
  const Navigation navigation = threeSteps();
  EXPECT_TRUE(navigation.showsEverything());
  EXPECT_LT(navigation.visible().start, 0) << "a little air before";
  EXPECT_GT(navigation.visible().end, 320 * kMs);
}

TEST(Navigation, WhatIsSeenStaysWhenTheTraceGrowsOnceSomeoneZoomed) {
  Navigation navigation = threeSteps();
  navigation.setTrace({0, 500 * kMs}, {}, false);
  EXPECT_TRUE(navigation.showsEverything()) << "all was seen, so all is seen";
  navigation.show({10 * kMs, 20 * kMs});
  navigation.setTrace({0, 900 * kMs}, {}, false);
  EXPECT_EQ(navigation.visible(), (TimeRange{10 * kMs, 20 * kMs}));
}

TEST(Navigation, PanAndZoomStayInsideTheTrace) {
  Navigation navigation = threeSteps();
  navigation.zoomAt(160 * kMs, 10);
  EXPECT_TRUE(navigation.showsEverything());
  navigation.zoomAt(160 * kMs, 0.1);
  navigation.pan(-1000 * kMs);
  EXPECT_EQ(navigation.visible().start, navigation.everything().start);
  navigation.pan(9999 * kMs);
  EXPECT_EQ(navigation.visible().end, navigation.everything().end);
}

TEST(Navigation, StepsGoFromOneToTheNextAndStopAtTheEnds) {
  Navigation navigation = threeSteps();
  navigation.nextStep();
  EXPECT_TRUE(shows(navigation, 0, 100)) << "from the whole to the first";
  navigation.nextStep();
  EXPECT_TRUE(shows(navigation, 110, 210));
  navigation.nextStep();
  navigation.nextStep();
  EXPECT_TRUE(shows(navigation, 220, 320));
  navigation.previousStep();
  EXPECT_TRUE(shows(navigation, 110, 210));
  navigation.fit();
  navigation.previousStep();
  EXPECT_TRUE(shows(navigation, 220, 320)) << "from the whole to the last";
}

TEST(Navigation, PreviousTakesBackOneGestureAtATime) {
  Navigation navigation = threeSteps();
  const TimeRange whole = navigation.visible();
  navigation.show({10 * kMs, 100 * kMs});
  const TimeRange shown = navigation.visible();
  for (int i = 0; i < 5; ++i) navigation.zoomAt(50 * kMs, 0.8);
  EXPECT_TRUE(navigation.previous());
  EXPECT_EQ(navigation.visible(), shown) << "five turns of the wheel are one gesture";
  EXPECT_TRUE(navigation.previous());
  EXPECT_EQ(navigation.visible(), whole);
  EXPECT_FALSE(navigation.previous());
}

TEST(Navigation, RevealMovesOnlyWhenNeeded) {
  Navigation navigation = threeSteps();
  navigation.show({100 * kMs, 200 * kMs});
  navigation.reveal({120 * kMs, 130 * kMs});
  EXPECT_EQ(navigation.visible(), (TimeRange{100 * kMs, 200 * kMs}));
  navigation.reveal({205 * kMs, 215 * kMs});
  EXPECT_LE(navigation.visible().start, 205 * kMs);
  EXPECT_GE(navigation.visible().end, 215 * kMs);
  EXPECT_EQ(navigation.visible().length(), 100 * kMs);
}

TEST(Navigation, AnEmptyRangeIsNotShown) {
  Navigation navigation = threeSteps();
  const TimeRange before = navigation.visible();
  navigation.show({50, 50});
  navigation.show({60, 50});
  EXPECT_EQ(navigation.visible(), before);
}

TEST(Following, FramesTheStepThatRunsUpToItsExpectedEnd) {
  const Nanoseconds second = 1000 * kMs;
  const TimeRange seen = newestSteps({{0, {0, second}}, {1, {second, second + 200 * kMs}}}, {0, second + 200 * kMs});
  EXPECT_NEAR(static_cast<double>(seen.start), static_cast<double>(second), 2e7);
  EXPECT_NEAR(static_cast<double>(seen.end), static_cast<double>(2 * second), 2e7);
}

TEST(Following, TakesSeveralStepsTogetherWhenTheyAreShort) {
  std::vector<StepWindow> steps;
  for (int i = 0; i < 100; ++i) steps.push_back({i, {i * 10 * kMs, i * 10 * kMs + 9 * kMs}});
  const TimeRange seen = newestSteps(steps, {0, 999 * kMs});
  EXPECT_GE(seen.length(), 400 * kMs);
  EXPECT_LE(seen.length(), 1100 * kMs);
  EXPECT_GE(seen.end, 999 * kMs);
}

TEST(Following, TheFirstStepHasASteadyAxisOfItsExpectedLength) {
  const Nanoseconds expected = 1000 * kMs;
  const auto seen = [&](Nanoseconds now) { return newestSteps({{0, {0, now}}}, {0, now}, expected); };
  const TimeRange first = seen(10 * kMs);
  EXPECT_NEAR(static_cast<double>(first.end), 1e9, 2e7);
  for (Nanoseconds now = 50 * kMs; now <= expected; now += 50 * kMs) EXPECT_EQ(seen(now), first) << now;
}

TEST(Following, AStepOfUnknownLengthMovesItsAxisSeldom) {
  int jumps = 0;
  TimeRange before;
  for (Nanoseconds now = 10 * kMs; now <= 2300 * kMs; now += 10 * kMs) {
    const TimeRange seen = newestSteps({{0, {0, now}}}, {0, now});
    EXPECT_GE(seen.end, now);
    jumps += seen != before;
    before = seen;
  }
  EXPECT_LE(jumps, 6);
}

TEST(Following, WithoutStepsSeesEverything) { EXPECT_EQ(newestSteps({}, {5, 50}), (TimeRange{5, 50})); }

}  // namespace
}  // namespace lanelab
