// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/overlay/curve_points.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lanelab {
namespace {

using testing::ElementsAre;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

TEST(Smoothing, IsAnAverageOfThePastWithoutTheBiasOfItsStart) {
  const struct {
    std::vector<double> values;
    double weight;
    std::vector<double> smooth;
  } rows[] = {
      {{}, 0.5, {}},
      {{4}, 0.9, {4}},
      {{1, 2, 3}, 0, {1, 2, 3}},
      {{7, 7, 7}, 0.9, {7, 7, 7}},
      {{0, 3}, 0.5, {0, 2}},               // (0.5 * 0 + 1 * 3) / 1.5
      {{0, 3, 7}, 0.5, {0, 2, 34.0 / 7}},  // (0.25 * 0 + 0.5 * 3 + 1 * 7) / 1.75
  };
  for (const auto& [values, weight, smooth] : rows) {
    const std::vector<double> found = smoothed(values, weight);
    ASSERT_EQ(found.size(), smooth.size());
    for (std::size_t i = 0; i < smooth.size(); ++i) EXPECT_NEAR(found[i], smooth[i], 1e-12) << weight << " at " << i;
  }
}

TEST(Smoothing, CountsNothingThatIsNotFinite) {
  const std::vector<double> found = smoothed({0, kNoNumber, 3}, 0.5);
  EXPECT_EQ(found[0], 0);
  EXPECT_TRUE(std::isnan(found[1]));
  EXPECT_NEAR(found[2], 2, 1e-12) << "as if it were not there";
}

TEST(SeenPoints, AreAllOfAFewValues) {
  EXPECT_THAT(seenPoints({3, 1, 2}, 10), ElementsAre(0, 1, 2));
  EXPECT_TRUE(seenPoints({}, 10).empty());
}

TEST(SeenPoints, HaveEachSpikeAndBothEndsOfMany) {
  std::vector<double> values(100'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i) / 5000);
  values[12'345] = 50;
  values[54'321] = -50;
  values[77'777] = kNoNumber;
  const std::vector<std::size_t> seen = seenPoints(values, 800);
  EXPECT_LE(seen.size(), 803U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  for (const std::size_t spike : {0, 12'345, 54'321, 77'777, 99'999})
    EXPECT_TRUE(std::ranges::binary_search(seen, spike)) << spike;
}

}  // namespace
}  // namespace lanelab
