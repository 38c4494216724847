// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/forecast_range.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lanelab {
namespace {

TEST(ForecastRange, AddsBlockTimesOtherWorkAndTheRestInSquares) {
  struct Case {
    StepQuartiles step;
    double below, above;  ///< standard deviations of log times
  };
  constexpr double kQuartile = 0.674490, kNinety = 1.644854, kRest = 0.04;
  for (const Case& c : {Case{{2, 2, 2, 1, 1}, kRest, kRest},
                        Case{{2, 1.8, 2.5, 1, 1},
                             std::hypot(std::log(2 / 1.8) / kQuartile, kRest),
                             std::hypot(std::log(2.5 / 2) / kQuartile, kRest)},
                        Case{{2, 1.8, 2.5, 16, 1},
                             std::hypot(std::log(2 / 1.8) / kQuartile / 4, kRest),
                             std::hypot(std::log(2.5 / 2) / kQuartile / 4, kRest)},
                        Case{{2, 2, 2, 4, 1.5}, std::hypot(std::log(1.5), kRest), std::hypot(std::log(1.5), kRest)},
                        Case{{2, 2, 2, 4, 0.9}, kRest, kRest}}) {
    const ForecastRange range = rangeOfStep(c.step);
    EXPECT_NEAR(std::log(2 / range.low), kNinety * c.below, 1e-5);
    EXPECT_NEAR(std::log(range.high / 2), kNinety * c.above, 1e-5);
  }
  EXPECT_EQ(rangeOfStep({0, 0, 0, 1, 1}), (ForecastRange{0, 0}));
}

TEST(ForecastRange, OfARatioWidensWithTheSpreadOfTheRun) {
  const ForecastRange sure = rangeOfRatio(1.1, 0), unsure = rangeOfRatio(1.1, 0.2);
  EXPECT_NEAR(std::log(sure.high / 1.1), 1.644854 * 0.03, 1e-5);
  EXPECT_NEAR(std::log(1.1 / unsure.low), 1.644854 * std::hypot(0.03, 0.2 * std::sqrt(2)), 1e-5);
}

TEST(ForecastRange, OfAChangeIsThatOfTheRatio) {
  const ForecastRange ratio = rangeOfRatio(1.25, 0.1), changed = rangeOfChange(10, 8, 0.1);
  EXPECT_NEAR(changed.low, 10 / ratio.high, 1e-12);
  EXPECT_NEAR(changed.high, 10 / ratio.low, 1e-12);
  EXPECT_EQ(rangeOfChange(3, 3, 0.2), (ForecastRange{3, 3}));
}

TEST(ForecastRange, QuartilesTakeThePlaceOfMediansThatWereMeasuredOften) {
  BlockProfile profile;
  profile.sizes.resize(2);
  profile.sizes[0].samples = 4;
  profile.sizes[1].samples = 16;
  profile.sizes[1].all_lanes_slowdown = 1.25;
  profile.sizes[0].blocks = {{{2, 1, 4, 9}, {3, 2, 5, 1}, {}, {}, {}}};
  EXPECT_EQ(atQuartile(profile, Quartile::Lower).sizes[0].blocks[0].forward.median, 1);
  EXPECT_EQ(atQuartile(profile, Quartile::Upper).sizes[0].blocks[0].forward.median, 4);
  EXPECT_EQ(atQuartile(profile, Quartile::Upper).sizes[0].blocks[0].backward.median, 3) << "measured once";
  EXPECT_EQ(slowdownOf(profile, 12), 1.25);
  EXPECT_EQ(slowdownOf(profile, 1), 1);
  EXPECT_EQ(slowdownOf({}, 1), 1);
}

TEST(ForecastRange, IsWrittenInOneUnit) {
  EXPECT_EQ(rangeText({2.5134, 3.4}).message, "2.51 to 3.40 s");
  EXPECT_EQ(rangeText({0.85, 1.2}).message, "0.850 to 1.20 s");
  EXPECT_EQ(rangeText({0.316, 1.2241}).message, "316 to 1220 ms") << "of 621 ms";
  EXPECT_EQ(rangeText({0.0123, 0.0456}).message, "12.3 to 45.6 ms");
  EXPECT_EQ(rangeText({4e-6, 5.5e-6}).message, "4.00 to 5.50 µs");
}

TEST(ForecastRange, PredictionsWithinTheirNoiseAreEqual) {
  EXPECT_TRUE(areEqualPredictions(1, 1.029));
  EXPECT_FALSE(areEqualPredictions(1, 1.04));
  EXPECT_FALSE(areEqualPredictions(0, 0));
}

}  // namespace
}  // namespace lanelab
