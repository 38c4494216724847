// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/clock_pairing.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

/// Two clocks that are told what to say; each reading of ours takes `cost`.
struct TwoClocks {
  Nanoseconds now = 0;
  Nanoseconds offset = 0;  ///< theirs minus ours
  Nanoseconds cost = 100;

  void sampleInto(ClockPairing& pairing) {
    pairing.sample([this] { return now + offset; },
                   [this] {
                     const Nanoseconds read = now;
                     now += cost / 2;
                     return read;
                   });
  }
};

TEST(ClockPairing, WithoutASampleTimesStayAsTheyAre) { EXPECT_EQ(ClockPairing().toOurs(123), 123); }

TEST(ClockPairing, OneSampleIsAnOffset) {
  ClockPairing pairing;
  TwoClocks clocks{.now = 1'000, .offset = 1'790'000'000'000'000'000, .cost = 0};
  clocks.sampleInto(pairing);
  EXPECT_EQ(pairing.toOurs(1'790'000'000'000'005'000), 5'000);
  EXPECT_EQ(pairing.toOurs(1'790'000'000'000'000'001), 1);
}

TEST(ClockPairing, BetweenTwoSamplesItIsAStraightLine) {
  ClockPairing pairing;
  TwoClocks clocks{.now = 0, .offset = 1'000'000, .cost = 0};
  clocks.sampleInto(pairing);
  clocks.now = 100'000'000;
  clocks.offset = 1'010'000;  // slewed by 10 us
  clocks.sampleInto(pairing);
  EXPECT_EQ(pairing.toOurs(1'000'000), 0);
  EXPECT_EQ(pairing.toOurs(101'010'000), 100'000'000);
  EXPECT_NEAR(static_cast<double>(pairing.toOurs(51'005'000)), 50'000'000, 1);
  EXPECT_EQ(pairing.toOurs(201'010'000), 200'000'000) << "behind the last sample its offset holds";
  EXPECT_EQ(pairing.jumps(), 0);
}

TEST(ClockPairing, TakesTheClosestBracketOfNine) {
  ClockPairing pairing;
  const Nanoseconds costs[] = {9'000, 8'000, 50'000, 700, 6'000, 5'000, 4'000, 3'000, 10'000};
  Nanoseconds now = 0;
  int calls = 0;
  pairing.sample([&] { return now + 1'000'000; },
                 [&] {
                   // The interruption lies before their reading, so a wide bracket misleads by half of it.
                   const Nanoseconds read = now;
                   if (calls % 2 == 0) now += costs[calls / 2];
                   ++calls;
                   return read;
                 });
  EXPECT_EQ(calls, 18);
  EXPECT_EQ(pairing.toOurs(1'000'000), -350) << "half of the closest bracket";
}

TEST(ClockPairing, PassesOverWideBracketsButNotTheFirst) {
  ClockPairing pairing;
  TwoClocks clocks{.now = 0, .offset = 0, .cost = 10'000};
  clocks.sampleInto(pairing);
  clocks.offset = 500'000;
  clocks.sampleInto(pairing);
  EXPECT_NEAR(static_cast<double>(pairing.toOurs(1'000'000)), 1'000'000, 10'000)
      << "the rejected sample changed nothing";
}

TEST(ClockPairing, AWideFirstSampleGivesWayToAClose) {
  ClockPairing pairing;
  TwoClocks clocks{.now = 0, .offset = 0, .cost = 400'000};
  clocks.sampleInto(pairing);
  EXPECT_EQ(pairing.residual(), 100'000) << "half of the bracket between two readings of ours";
  clocks.cost = 1'000;
  clocks.offset = 5'000;
  clocks.sampleInto(pairing);
  EXPECT_EQ(pairing.residual(), 250);
  EXPECT_NEAR(static_cast<double>(pairing.toOurs(5'000)), 0, 500) << "the second sample's offset holds before it";
}

TEST(ClockPairing, TheResidualIsHowFarASampleLiesBesideTheLineOfItsNeighbours) {
  ClockPairing pairing;
  TwoClocks clocks{.now = 0, .offset = 0, .cost = 0};
  EXPECT_EQ(pairing.residual(), 0);
  for (const auto& [now, offset] : {std::pair(0, 0), std::pair(100'000'000, 1'800), std::pair(200'000'000, 2'000)}) {
    clocks.now = now;
    clocks.offset = offset;
    clocks.sampleInto(pairing);
  }
  EXPECT_NEAR(static_cast<double>(pairing.residual()), 800, 1) << "1000 would lie on the line";
  clocks.now = 300'000'000;
  clocks.offset = 3'600'000'000'000;
  clocks.sampleInto(pairing);
  clocks.now = 400'000'000;
  clocks.sampleInto(pairing);
  EXPECT_EQ(pairing.jumps(), 1);
  EXPECT_NEAR(static_cast<double>(pairing.residual()), 800, 1) << "a clock that was set is no residual";
}

TEST(ClockPairing, TimesMayBeAskedForInAnyOrder) {
  ClockPairing pairing;
  TwoClocks clocks{.now = 0, .offset = 1'000, .cost = 0};
  for (int i = 0; i < 20; ++i) {
    clocks.now = i * 100'000'000LL;
    clocks.sampleInto(pairing);
  }
  for (const Nanoseconds time :
       {1'950'000'000LL, 5LL, 777'000'000LL, 777'000'001LL, 2'500'000'000LL, 0LL, 1'899'999'999LL})
    EXPECT_EQ(pairing.toOurs(time + 1'000), time);
}

TEST(ClockPairing, AClockThatWasSetIsNoSlope) {
  ClockPairing pairing;
  TwoClocks clocks{.now = 0, .offset = 0, .cost = 0};
  clocks.sampleInto(pairing);
  clocks.now = 1'000'000'000;
  clocks.offset = 3'600'000'000'000;  // set forward by an hour
  clocks.sampleInto(pairing);
  EXPECT_EQ(pairing.jumps(), 1);
  EXPECT_EQ(pairing.toOurs(500'000'000), 500'000'000) << "before the jump the old offset holds";
  EXPECT_EQ(pairing.toOurs(3'601'500'000'000), 1'500'000'000);
}

TEST(ClockPairing, AClockSetBackIsTakenAtItsWord) {
  ClockPairing pairing;
  TwoClocks clocks{.now = 0, .offset = 10'000'000'000, .cost = 0};
  clocks.sampleInto(pairing);
  clocks.now = 1'000'000'000;
  clocks.offset = 0;
  clocks.sampleInto(pairing);
  EXPECT_EQ(pairing.jumps(), 1);
  EXPECT_EQ(pairing.toOurs(1'200'000'000), 1'200'000'000);
}

}  // namespace
}  // namespace lanelab
