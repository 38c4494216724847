// SPDX-License-Identifier: GPL-3.0-only
// What a counter's numbers are in time, and that the counter and the clock agree.
#include "engine/torch/record/operator_clock.h"

#include <gtest/gtest.h>

#include "profiler/trace/trace_builder.h"

namespace lanelab {
namespace {

constexpr Nanoseconds kMillisecond = 1'000'000;

TEST(CounterTime, IsKnownAfterTenMilliseconds) {
  CounterTime counter;
  counter.learn(100 * kMillisecond, 1000);
  counter.learn(109 * kMillisecond, 10'000);
  EXPECT_FALSE(counter.known());
  counter.learn(110 * kMillisecond, 11'000);
  ASSERT_TRUE(counter.known());
  EXPECT_EQ(counter.at(11'000), 110 * kMillisecond);
  EXPECT_EQ(counter.at(11'500), 110 * kMillisecond + kMillisecond / 2);
}

TEST(CounterTime, KeepsItsRateWhereTheMachineSlept) {
  CounterTime counter;
  counter.learn(100 * kMillisecond, 0);
  counter.learn(120 * kMillisecond, 20'000);
  counter.learn(121 * kMillisecond, 90'000'000);  // the counter went on, the clock did not
  EXPECT_EQ(counter.at(90'001'000), 122 * kMillisecond);
  counter.learn(141 * kMillisecond, 90'020'000);
  EXPECT_EQ(counter.at(90'021'000), 142 * kMillisecond);
}

TEST(CounterTime, DoesNotTakeACounterThatStandsStill) {
  CounterTime counter;
  counter.learn(100 * kMillisecond, 5);
  counter.learn(200 * kMillisecond, 5);
  EXPECT_FALSE(counter.known());
}

/// Whether a new clock is within a microsecond and a hundredth of the system's for a thousand readings.
bool newClockAgrees() {
  OperatorClock clock;
  const Nanoseconds first = clock.anchor();
  Nanoseconds anchor = first;
  while (anchor - first < 20 * kMillisecond) anchor = clock.anchor();
  for (int i = 0; i < 1000; ++i) {
    const Nanoseconds before = monotonicNow(), now = clock.now(), after = monotonicNow();
    const Nanoseconds error = 1000 + (after - anchor) / 100;
    if (now < before - error || now > after + error) return false;
  }
  return true;
}

// On a loaded machine the thread may be put aside between the two readings of a pair, and the pair is worth nothing
// then; a clock that counts wrongly fails every try.
TEST(OperatorClock, AgreesWithTheClock) {
  constexpr int kTries = 50;
  bool agreed = false;
  for (int i = 0; i < kTries && !agreed; ++i) agreed = newClockAgrees();
  EXPECT_TRUE(agreed);
}

}  // namespace
}  // namespace lanelab
