// SPDX-License-Identifier: GPL-3.0-only
// Time that a process slept does not count, and calls that never end are left.
#include "engine/dist/rendezvous/awake_time.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

#include "engine/dist/rendezvous/limited_call.h"

namespace lanelab {
namespace {

using namespace std::chrono_literals;

TEST(AwakeTime, CountsWhatLiesBetweenLooksUpToALimit) {
  AwakeTime::Clock::time_point now{};
  AwakeTime awake(500ms, now);
  EXPECT_EQ(awake.passed(now += 250ms), 250ms);
  EXPECT_EQ(awake.passed(now += 250ms), 500ms);
  EXPECT_EQ(awake.passed(now += 20s), 1000ms) << "a sleep of 20 s is one look";
  EXPECT_EQ(awake.passed(now), 1000ms);
  awake.restart(now += 20s);
  EXPECT_EQ(awake.passed(now += 100ms), 100ms);
}

TEST(LimitedCall, ReturnsThrowsOrIsLeft) {
  EXPECT_EQ(withinLimit<int>(30s, [] { return 7; }), 7);
  EXPECT_THROW(withinLimit<int>(30s, []() -> int { throw std::runtime_error("no"); }), std::runtime_error);
  std::promise<int> never;
  EXPECT_EQ(withinLimit<int>(150ms, [answer = never.get_future().share()] { return answer.get(); }), std::nullopt);
  never.set_value(1);
}

}  // namespace
}  // namespace lanelab
