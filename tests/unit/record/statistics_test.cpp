// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace lanelab {
namespace {

TEST(Student, QuantilesAreThoseOfThePublishedTable) {
  // NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.2, three decimals.
  struct Entry {
    double p, df, t;
  };
  for (const Entry& entry : std::vector<Entry>{{0.975, 1, 12.706},
                                               {0.975, 2, 4.303},
                                               {0.975, 4, 2.776},
                                               {0.975, 9, 2.262},
                                               {0.975, 18, 2.101},
                                               {0.975, 30, 2.042},
                                               {0.975, 100, 1.984},
                                               {0.90, 5, 1.476},
                                               {0.95, 5, 2.015},
                                               {0.995, 9, 3.250},
                                               {0.999, 3, 10.215},
                                               {0.95, 1, 6.314}}) {
    EXPECT_NEAR(studentQuantile(entry.p, entry.df), entry.t, 0.0006) << "p " << entry.p << " df " << entry.df;
  }
}

TEST(Student, QuantilesHaveManyDigitsAndSymmetry) {
  EXPECT_NEAR(studentQuantile(0.75, 1), 1.0, 1e-12);  // Cauchy: tan(pi/4)
  EXPECT_NEAR(studentQuantile(0.975, 1), std::tan(0.475 * std::numbers::pi), 1e-9);
  EXPECT_NEAR(studentQuantile(0.75, 2), std::sqrt(2.0 / 3.0), 1e-12);  // closed form for two degrees
  EXPECT_NEAR(studentQuantile(0.975, 1e7), 1.959964, 1e-5);            // the normal distribution
  EXPECT_EQ(studentQuantile(0.5, 3), 0);
  EXPECT_NEAR(studentQuantile(0.025, 17.776), -studentQuantile(0.975, 17.776), 1e-12);
  EXPECT_TRUE(std::isnan(studentQuantile(0.975, 0)));
  EXPECT_TRUE(std::isnan(studentQuantile(1, 3)));
}

// Student's sleep data (Biometrika 1908), R's `sleep`.
const std::vector<double> kDrug1 = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
const std::vector<double> kDrug2 = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

std::vector<double> exponentials(std::vector<double> values) {
  for (double& value : values) value = std::exp(value);
  return values;
}

TEST(Summarise, GivesMeanSpreadAndInterval) {
  const Summary summary = summarise(kDrug1);
  EXPECT_EQ(summary.n, 10);
  EXPECT_NEAR(summary.mean, 0.75, 1e-12);
  EXPECT_NEAR(summary.std, 1.789010, 1e-6);
  EXPECT_NEAR(summary.median, 0.35, 1e-12);
  EXPECT_NEAR(summary.iqr, 1.7 + 0.175, 1e-12);  // R's quantile(): -0.175 and 1.7
  ASSERT_TRUE(summary.ci95);
  EXPECT_NEAR(summary.ci95->low, -0.5297804, 1e-6);  // R: t.test(sleep$extra[1:10])
  EXPECT_NEAR(summary.ci95->high, 2.0297804, 1e-6);
  EXPECT_TRUE(summary.outliers.empty());
}

TEST(Summarise, HasNoIntervalBelowFiveRepeats) {
  EXPECT_EQ(summarise({}).n, 0);
  EXPECT_EQ(summarise({2.0}).std, 0);
  EXPECT_EQ(summarise({2.0}).median, 2.0);
  EXPECT_FALSE(summarise({1, 2, 3, 4}).ci95);
  EXPECT_TRUE(summarise({1, 2, 3, 4, 5}).ci95);
}

TEST(Summarise, CountsOutliersAndKeepsThem) {
  const Summary summary = summarise({1.0, 1.01, 1.02, 0.99, 1.0, 3.0});
  EXPECT_EQ(summary.outliers, std::vector<int>{5});
  EXPECT_NEAR(summary.mean, 8.02 / 6, 1e-12);
}

TEST(CompareTimes, IsWelchsIntervalOnLogTimes) {
  const Ratio ratio = compareTimes(exponentials(kDrug1), exponentials(kDrug2));
  EXPECT_NEAR(std::log(ratio.ratio), -1.58, 1e-9);
  ASSERT_TRUE(ratio.ci95);
  EXPECT_NEAR(std::log(ratio.ci95->low), -3.3654832, 1e-6);  // R: t.test(extra ~ group, data = sleep), df = 17.776
  EXPECT_NEAR(std::log(ratio.ci95->high), 0.2054832, 1e-6);
}

std::vector<double> around(double mean, double step, int n) {
  std::vector<double> times;
  for (int i = 0; i < n; ++i) times.push_back(mean * (1 + step * (i - (n - 1) / 2.0)));
  return times;
}

TEST(CompareTimes, CallsClearWhatTheIntervalAllows) {
  struct Case {
    std::vector<double> baseline, candidate;
    Ratio::Word word;
  };
  using enum Ratio::Word;
  for (const Case& c : std::vector<Case>{{around(2.0, 0.001, 10), around(1.0, 0.001, 10), Faster},
                                         {around(1.0, 0.001, 10), around(2.0, 0.001, 10), Slower},
                                         {around(1.0, 0.02, 10), around(1.0, 0.02, 10), NoClearDifference},
                                         {around(1.01, 0.0001, 5), around(1.0, 0.0001, 5), WithinNoise},
                                         {around(2.0, 0.001, 4), around(1.0, 0.001, 10), TooFewRepeats},
                                         {{1, 1}, {}, TooFewRepeats},
                                         {{0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}, ZeroTime},
                                         {{1, 1, 1, 1, 1}, {1, 1, 0, 1, 1}, ZeroTime}}) {
    const Ratio ratio = compareTimes(c.baseline, c.candidate);
    EXPECT_EQ(ratio.word, c.word);
    const bool none = c.word == ZeroTime || c.candidate.empty();
    EXPECT_EQ(std::isnan(ratio.ratio), none);
    EXPECT_EQ(ratio.ci95.has_value(), c.word != ZeroTime && c.word != TooFewRepeats);
    EXPECT_EQ(ratio.repeats,
              (std::vector<int>{static_cast<int>(c.candidate.size()), static_cast<int>(c.baseline.size())}));
  }
  EXPECT_EQ(compareTimes(around(2, 0.001, 3), around(1, 0.001, 3), 3).word, Ratio::Word::Faster);
  EXPECT_FALSE(compareTimes(around(2, 0.001, 2), around(1, 0.001, 3), 3).ci95);
}

/// Times of one and the same system with 3 % noise, by Box and Muller so that every library gives the same.
std::vector<double> noisy(std::mt19937_64& random, int n) {
  std::vector<double> times;
  for (int i = 0; i < n; ++i) {
    const double u = (static_cast<double>(random() >> 11) + 0.5) / 9007199254740992.0;
    const double v = static_cast<double>(random() >> 11) / 9007199254740992.0;
    times.push_back(1 + 0.03 * std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v));
  }
  return times;
}

TEST(CompareTimes, ASystemAgainstItselfShowsNoClearDifference) {
  std::mt19937_64 random(7);
  int no_difference = 0;
  int covered = 0;
  constexpr int kPairs = 2000;
  for (int i = 0; i < kPairs; ++i) {
    const Ratio ratio = compareTimes(noisy(random, 10), noisy(random, 10));
    no_difference += i < 20 && ratio.word == Ratio::Word::NoClearDifference;
    covered += ratio.ci95->low <= 1 && ratio.ci95->high >= 1;
  }
  EXPECT_GE(no_difference, 18);             // of the first 20 pairs
  EXPECT_NEAR(covered, 0.95 * kPairs, 40);  // 95 % within four standard errors
}

TEST(CompareTimes, ShowTheSmallestDifferenceFourTimesInFive) {
  std::mt19937_64 random(11);
  constexpr int kPairs = 2000;
  for (const int n : {5, 10, 20}) {
    double smallest = 0;
    for (int i = 0; i < kPairs; ++i)
      smallest += compareTimes(noisy(random, n), noisy(random, n)).smallest_difference / kPairs;
    int shown = 0;
    for (int i = 0; i < kPairs; ++i) {
      std::vector<double> faster = noisy(random, n);
      for (double& time : faster) time /= 1 + smallest;
      shown += compareTimes(noisy(random, n), faster).word == Ratio::Word::Faster;
    }
    EXPECT_NEAR(shown, 0.8 * kPairs, 0.05 * kPairs) << n << " repeats, " << smallest;
  }
}

}  // namespace
}  // namespace lanelab
