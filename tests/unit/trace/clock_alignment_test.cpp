// SPDX-License-Identifier: GPL-3.0-only
// Times of another clock: what round trips tell of it, and what becomes of its times.
#include "profiler/trace/clock_alignment.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace lanelab {
namespace {

/// A trip that begins at `sent` and lies `turn` at the other end, whose clock shows ours minus `offset`.
RoundTrip trip(Nanoseconds sent, Nanoseconds there, Nanoseconds turn, Nanoseconds back, Nanoseconds offset) {
  return {sent, sent + there - offset, sent + there + turn - offset, sent + there + turn + back};
}

struct Trips {
  const char* what;
  std::vector<RoundTrip> trips;
  ClockReading reading;
};

class Readings : public ::testing::TestWithParam<Trips> {};
INSTANTIATE_TEST_SUITE_P(
    Of, Readings,
    ::testing::Values(Trips{"None", {}, {}},                                                        //
                      Trips{"OneClock", {trip(1000, 50, 5, 50, 0)}, {1055, 0, 50}},                 //
                      Trips{"AnEarlierClock", {trip(1000, 50, 5, 50, 700)}, {355, 700, 50}},        //
                      Trips{"ALaterClock", {trip(1000, 50, 5, 50, -700)}, {1755, -700, 50}},        //
                      Trips{"WaysOfDifferentLength", {trip(1000, 90, 5, 10, 0)}, {1095, -40, 50}},  //
                      Trips{"TheShortestOfThree",
                            {trip(0, 80, 0, 90, 7), trip(1000, 20, 900, 20, 7), trip(3000, 30, 0, 30, 7)},
                            {1913, 7, 20}},
                      Trips{"AnOddLengthRoundedUp", {trip(0, 4, 0, 5, 0)}, {4, 0, 5}}),
    [](const auto& test) { return test.param.what; });

TEST_P(Readings, AreThoseOfTheShortestTrip) {
  const ClockReading reading = readingOf(GetParam().trips);
  EXPECT_EQ(reading.theirs, GetParam().reading.theirs);
  EXPECT_EQ(reading.offset, GetParam().reading.offset);
  EXPECT_EQ(reading.residual, GetParam().reading.residual);
}

TEST(Readings, AreNeverFurtherOffThanTheySay) {
  std::mt19937 random(1);
  const auto upTo = [&](Nanoseconds most) { return static_cast<Nanoseconds>(random() % static_cast<unsigned>(most)); };
  for (int round = 0; round < 500; ++round) {
    const Nanoseconds offset = upTo(2'000'000) - 1'000'000;
    std::vector<RoundTrip> trips;
    for (int i = 0; i < 5; ++i) trips.push_back(trip(1000 * i, upTo(100'000), upTo(5000), upTo(100'000), offset));
    const ClockReading reading = readingOf(trips);
    EXPECT_LE(std::abs(reading.offset - offset), reading.residual) << round;
  }
}

struct Moved {
  const char* what;
  ClockReading before, after;
  Nanoseconds theirs, ours;
};

class Alignments : public ::testing::TestWithParam<Moved> {};
INSTANTIATE_TEST_SUITE_P(
    Of, Alignments,
    ::testing::Values(Moved{"NoDifferenceWithinWhatIsKnown", {100, 40, 50}, {900, -45, 50}, 500, 500},  //
                      Moved{"AFixedDifference", {100, 1000, 50}, {900, 1000, 40}, 500, 1500},           //
                      Moved{"SmallButKnown", {100, 51, 50}, {900, 51, 50}, 500, 551},                   //
                      Moved{"HalfWay", {100, 1000, 50}, {900, 1200, 50}, 500, 1600},                    //
                      Moved{"BeforeTheFirst", {100, 1000, 50}, {900, 1200, 50}, 50, 1050},              //
                      Moved{"BehindTheLast", {100, 1000, 50}, {900, 1200, 50}, 5000, 6200}),
    [](const auto& test) { return test.param.what; });

TEST_P(Alignments, MoveATime) {
  const ClockAlignment clock(GetParam().before, GetParam().after);
  EXPECT_EQ(clock.toOurs(GetParam().theirs), GetParam().ours);
  EXPECT_EQ(clock.isOurs(), GetParam().theirs == GetParam().ours);
  EXPECT_EQ(clock.residual(), 50);
}

TEST(Alignments, KeepTheOrderOfTimes) {
  const ClockAlignment clock({0, 5'000'000, 10}, {1'000'000'000, 4'900'000, 10});  // loses 100 us a second
  Nanoseconds last = clock.toOurs(-5);
  for (Nanoseconds theirs = 0; theirs < 1'000'010'000; theirs += 33'331) {
    const Nanoseconds ours = clock.toOurs(theirs);
    ASSERT_GT(ours, last);
    last = ours;
  }
}

TEST(Alignments, LeaveOurOwnTimesAsTheyAre) {
  const ClockAlignment clock;
  EXPECT_TRUE(clock.isOurs());
  EXPECT_EQ(clock.toOurs(77), 77);
  EXPECT_EQ(clock.residual(), 0);
}

}  // namespace
}  // namespace lanelab
