// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/slowdown/step_bound.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lanelab {
namespace {

std::vector<double> upTo(int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

/// The largest rank r with P(Bin(n, 1/2) < r) of at most 5 %, by the table of the binomial distribution.
TEST(StepBound, OfAMedianIsTheValueOfTheRankThatTheBinomialDistributionGives) {
  for (const auto& [count, rank] : {std::pair(1, 1), std::pair(3, 1), std::pair(5, 1), std::pair(7, 1), std::pair(8, 2),
                                    std::pair(10, 2), std::pair(11, 3), std::pair(13, 4), std::pair(20, 6)})
    EXPECT_EQ(boundOfMedian(upTo(count)), rank) << count;
}

TEST(StepBound, IgnoresAFewOddSteps) {
  EXPECT_EQ(boundOfMedian({0, 0, 90, 0, 80, 0, 0, 70}), 0);
  EXPECT_EQ(boundOfMedian({5, 6, 5, 0, 7, 5, 6, 900}), 5);
}

TEST(StepBound, OfNothingIsNothing) {
  EXPECT_EQ(boundOfMedian({}), 0);
  EXPECT_EQ(lowerMedian({}), 0);
  EXPECT_EQ(lowerMedian({4, 1, 3, 2}), 2);
}

}  // namespace
}  // namespace lanelab
