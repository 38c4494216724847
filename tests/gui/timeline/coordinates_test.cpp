// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/coordinates.h"

namespace lanelab {
namespace {

constexpr Nanoseconds kHour = 3'600'000'000'000;

TEST(TimeScale, PlacesTimesByTheirShareOfTheRange) {
  const TimeScale scale{{1000, 2000}, 50, 200};
  const struct {
    Nanoseconds time;
    double x;
  } kRows[] = {{1000, 50}, {1500, 150}, {2000, 250}, {500, -50}, {2500, 350}};
  for (const auto& row : kRows) {
    EXPECT_DOUBLE_EQ(scale.x(row.time), row.x) << row.time;
    EXPECT_EQ(scale.time(row.x), row.time) << row.x;
  }
  EXPECT_DOUBLE_EQ(scale.nanosecondsPerPixel(), 5);
}

TEST(TimeScale, ZeroWidthAndAnEmptyRangeMapToTheEdge) {
  for (const TimeScale& scale :
       {TimeScale{{1000, 2000}, 50, 0}, TimeScale{{1000, 1000}, 50, 200}, TimeScale{{1000, 900}, 50, 200}}) {
    EXPECT_TRUE(scale.degenerate());
    EXPECT_DOUBLE_EQ(scale.x(1700), 50);
    EXPECT_EQ(scale.time(120), 1000);
    EXPECT_DOUBLE_EQ(scale.nanosecondsPerPixel(), 0);
  }
}

TEST(TimeScale, KeepsNanosecondsAnHourIntoATrace) {
  const TimeScale scale{{kHour, kHour + 1000}, 0, 1000};
  for (Nanoseconds offset = 0; offset < 1000; offset += 37) {
    EXPECT_DOUBLE_EQ(scale.x(kHour + offset), static_cast<double>(offset));
    EXPECT_EQ(scale.time(static_cast<double>(offset)), kHour + offset);
  }
}

TEST(Zoom, TheAnchorKeepsItsPlace) {
  const TimeRange range{1000, 9000};
  for (const Nanoseconds anchor : {1000, 3000, 9000}) {
    for (const double factor : {0.5, 1.0, 2.0}) {
      const TimeRange to = zoomed(range, anchor, factor);
      EXPECT_EQ(to.length(), static_cast<Nanoseconds>(8000 * factor));
      EXPECT_NEAR(TimeScale({to, 0, 800}).x(anchor), TimeScale({range, 0, 800}).x(anchor), 0.2)
          << anchor << " by " << factor;
    }
  }
}

TEST(Zoom, StopsAtTheShortestRange) {
  TimeRange range{0, 1'000'000};
  for (int i = 0; i < 100; ++i) range = zoomed(range, 500, 0.5);
  EXPECT_EQ(range.length(), kShortestRange);
}

TEST(Ranges, MoveIntoBoundsAndIntersect) {
  const TimeRange bounds{0, 100};
  EXPECT_EQ(movedInto({-20, 30}, bounds), (TimeRange{0, 50}));
  EXPECT_EQ(movedInto({80, 130}, bounds), (TimeRange{50, 100}));
  EXPECT_EQ(movedInto({20, 60}, bounds), (TimeRange{20, 60}));
  EXPECT_EQ(movedInto({-500, 500}, bounds), bounds);
  EXPECT_EQ(intersection({0, 50}, {30, 80}), (TimeRange{30, 50}));
  EXPECT_TRUE(intersection({0, 50}, {60, 80}).empty());
  EXPECT_TRUE(intersection({0, 50}, {50, 80}).empty()) << "ranges are half-open";
  EXPECT_EQ(panned({10, 20}, -5), (TimeRange{5, 15}));
}

TEST(Ticks, StepsAreOneTwoFiveTimesAPowerOfTenAndWideEnough) {
  const struct {
    Nanoseconds length;
    Nanoseconds step;
  } kRows[] = {{1000, 100}, {1500, 200}, {4000, 500}, {10'000, 1000}, {3'000'000'000, 500'000'000}};
  for (const auto& row : kRows) EXPECT_EQ(tickStep({{0, row.length}, 0, 1000}, 90), row.step) << row.length;
}

TEST(Ticks, LieOnMultiplesOfTheStepFromZeroAndInsideTheRange) {
  EXPECT_EQ(tickTimes({1050, 1350}, 100, 1000), (std::vector<Nanoseconds>{1100, 1200, 1300}));
  EXPECT_EQ(tickTimes({950, 1101}, 100, 1000), (std::vector<Nanoseconds>{1000, 1100})) << "before zero";
  EXPECT_TRUE(tickTimes({5, 5}, 10, 0).empty());
  EXPECT_TRUE(tickTimes({0, 100}, 0, 0).empty());
}

TEST(Ticks, TextsHaveTheUnitAndTheDigitsOfTheStep) {
  const struct {
    Nanoseconds time, step;
    const char* text;
  } kRows[] = {{1'500'000, 500'000, "1.5 ms"},
               {2'000'000, 500'000, "2.0 ms"},
               {20'000'000, 10'000'000, "20 ms"},
               {0, 500'000'000, "0.0 s"},
               {3'000'000'000, 1'000'000'000, "3 s"},
               {1500, 500, "1.5 µs"},
               {40, 20, "40 ns"},
               {-1'000'000, 1'000'000, "-1 ms"}};
  for (const auto& row : kRows) EXPECT_EQ(tickText(row.time, row.step).toStdString(), row.text);
}

TEST(Ticks, SharesAreWholePercentAndSmallOnesAreNotCalledZero) {
  EXPECT_EQ(shareText(0.834), QStringLiteral("83 %"));
  EXPECT_EQ(shareText(1), QStringLiteral("100 %"));
  EXPECT_EQ(shareText(0), QStringLiteral("0 %"));
  EXPECT_EQ(shareText(0.001), QStringLiteral("< 1 %"));
}

}  // namespace
}  // namespace lanelab
