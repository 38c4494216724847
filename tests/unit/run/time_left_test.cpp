// SPDX-License-Identifier: GPL-3.0-only
// The time that a run still takes, by a clock that the tests set.
#include "engine/run/time_left.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

TimeLeft::Time at(double seconds) {
  return TimeLeft::Time{} + std::chrono::milliseconds(static_cast<int>(1000 * seconds));
}

TEST(TimeLeft, WeighsEachVariantByItsOwnSpeed) {
  TimeLeft left(2, 3);
  EXPECT_EQ(left.seconds(at(0)), -1);
  left.unitStarted(0, at(0));
  left.unitDone(0, at(4));
  EXPECT_DOUBLE_EQ(left.seconds(at(4)), 2 * 4 + 3 * 4) << "the other variant is unknown, so it counts as the mean";
  left.unitStarted(1, at(4));
  left.unitDone(1, at(5));
  EXPECT_DOUBLE_EQ(left.seconds(at(5)), 2 * 4 + 2 * 1);
  left.unitStarted(0, at(5));
  EXPECT_DOUBLE_EQ(left.seconds(at(6)), 2 * 4 + 2 * 1 - 1);
  EXPECT_DOUBLE_EQ(left.seconds(at(99)), 1 * 4 + 2 * 1) << "a slow unit never makes the rest negative";
}

TEST(TimeLeft, JudgesTheFirstUnitByItsSteps) {
  TimeLeft left(1, 2);
  left.unitStarted(0, at(0));
  left.unitAdvanced(0.05, at(1));
  EXPECT_EQ(left.seconds(at(1)), -1) << "too little is done to judge";
  left.unitAdvanced(0.25, at(2));
  EXPECT_DOUBLE_EQ(left.seconds(at(2)), 2 * 8 - 2);
  left.unitDone(0, at(4));
  EXPECT_DOUBLE_EQ(left.seconds(at(4)), 4) << "from now on by its length";
  left.unitStarted(0, at(4));
  left.unitAdvanced(0.5, at(10));
  EXPECT_DOUBLE_EQ(left.seconds(at(5)), 3);
}

}  // namespace
}  // namespace lanelab
