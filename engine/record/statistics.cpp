// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/statistics.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "base/quantile.h"

namespace lanelab {
namespace {

constexpr double kNoiseBand = 0.02;
constexpr double kUpperTail = 0.975;
constexpr double kPower = 0.8;
constexpr double kNoRatio = std::numeric_limits<double>::quiet_NaN();

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// With n-1; 0 for one value.
double varianceOf(const std::vector<double>& values, double mean) {
  if (values.size() < 2) return 0;
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

/// The continued fraction of the incomplete beta function, by the modified Lentz method (Numerical Recipes 6.4,
/// DLMF 8.17.22).
double betaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / away(1 - (a + b) * x / (a + 1));
  double h = d;
  for (int m = 1; m <= 100000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    h *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const double change = d * c;
    h *= change;
    if (std::abs(change - 1) < 1e-15) break;
  }
  return h;
}

/// The regularised incomplete beta function I_x(a, b), with `rest` = 1 - x given apart to keep its digits.
double incompleteBeta(double a, double b, double x, double rest) {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(rest));
  if (x < (a + 1) / (a + b + 2)) return front * betaFraction(a, b, x) / a;
  return 1 - front * betaFraction(b, a, rest) / b;
}

/// The chance that |T| exceeds t.
double bothTails(double t, double df) {
  const double square = t * t;
  return incompleteBeta(df / 2, 0.5, df / (df + square), square / (df + square));
}

/// Of the sum or difference of these.
double squaredErrorOf(std::initializer_list<LogTimes> all) {
  double sum = 0;
  for (const LogTimes& one : all) sum += one.squared_error;
  return sum;
}

/// Welch and Satterthwaite's degrees of freedom.
double welchFreedom(std::initializer_list<LogTimes> all) {
  const double sum = squaredErrorOf(all);
  double plain = 0, parts = 0;
  for (const LogTimes& one : all) {
    plain += one.n - 1;
    parts += one.squared_error * one.squared_error / (one.n - 1);
  }
  return sum <= 0 ? plain : sum * sum / parts;
}

Ratio::Word wordOf(double ratio, const Interval& ci) {
  if (ci.low <= 1 && ci.high >= 1) return Ratio::Word::NoClearDifference;
  if (std::abs(ratio - 1) <= kNoiseBand) return Ratio::Word::WithinNoise;
  return ratio > 1 ? Ratio::Word::Faster : Ratio::Word::Slower;
}

}  // namespace

LogTimes logTimesOf(const std::vector<double>& seconds) {
  const bool all_take_time = std::ranges::all_of(seconds, [](double value) { return value > 0; });
  if (seconds.empty() || !all_take_time) return {};
  std::vector<double> logs;
  for (const double value : seconds) logs.push_back(std::log(value));
  const double mean = meanOf(logs);
  return {mean, varianceOf(logs, mean) / static_cast<double>(logs.size()), static_cast<int>(logs.size())};
}

double studentQuantile(double p, double df) {
  if (!(df > 0) || !(p > 0) || !(p < 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0.5) return 0;
  const double tails = 2 * std::min(p, 1 - p);
  double low = 0;
  double high = 1;
  while (bothTails(high, df) > tails && high < 1e150) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
    const double middle = (low + high) / 2;
    (bothTails(middle, df) > tails ? low : high) = middle;
  }
  return p > 0.5 ? high : -high;
}

Summary summarise(const std::vector<double>& seconds) {
  Summary summary;
  summary.n = static_cast<int>(seconds.size());
  if (seconds.empty()) return summary;
  summary.mean = meanOf(seconds);
  summary.std = std::sqrt(varianceOf(seconds, summary.mean));
  std::vector<double> sorted = seconds;
  std::ranges::sort(sorted);
  summary.median = quantileOfSorted(sorted, 0.5);
  const double lower = quantileOfSorted(sorted, 0.25);
  const double upper = quantileOfSorted(sorted, 0.75);
  summary.iqr = upper - lower;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (seconds[i] < lower - 3 * summary.iqr || seconds[i] > upper + 3 * summary.iqr)
      summary.outliers.push_back(static_cast<int>(i));
  }
  if (seconds.size() >= kFewestForInterval) {
    const double n = static_cast<double>(seconds.size());
    const double half = studentQuantile(kUpperTail, n - 1) * summary.std / std::sqrt(n);
    summary.ci95 = Interval{summary.mean - half, summary.mean + half};
  }
  return summary;
}

namespace {

/// Fills interval, word and smallest difference of a ratio of these.
void judge(Ratio& result, std::initializer_list<LogTimes> all) {
  const double df = welchFreedom(all), error = std::sqrt(squaredErrorOf(all));
  const double half = studentQuantile(kUpperTail, df) * error;
  result.ci95 = Interval{result.ratio * std::exp(-half), result.ratio * std::exp(half)};
  result.word = wordOf(result.ratio, *result.ci95);
  result.smallest_difference = std::max(kNoiseBand, std::exp(half + studentQuantile(kPower, df) * error) - 1);
}

}  // namespace

Ratio betweenRuns(const Ratio& ratio) {
  Ratio result = ratio;
  const bool compared = result.word != Ratio::Word::ZeroTime && result.word != Ratio::Word::Baseline;
  if (compared && !std::isnan(result.ratio)) result.word = Ratio::Word::OtherRun;
  return result;
}

Ratio compareSpeedUps(const std::vector<double>& baseline, const std::vector<double>& candidate,
                      const std::vector<double>& other_baseline, const std::vector<double>& other) {
  const LogTimes a = logTimesOf(baseline), b = logTimesOf(candidate);
  const LogTimes c = logTimesOf(other_baseline), d = logTimesOf(other);
  Ratio result;
  result.repeats = {b.n, a.n, d.n, c.n};
  const int fewest = std::ranges::min(result.repeats);
  result.ratio = fewest > 0 ? std::exp((a.mean - b.mean) - (c.mean - d.mean)) : kNoRatio;
  if (fewest >= static_cast<int>(kFewestForInterval)) judge(result, {a, b, c, d});
  return result;
}

Ratio compareLogTimes(const LogTimes& baseline, const LogTimes& candidate, std::size_t fewest) {
  Ratio result;
  result.repeats = {candidate.n, baseline.n};
  const int least = std::min(baseline.n, candidate.n);
  result.ratio = least > 0 ? std::exp(baseline.mean - candidate.mean) : kNoRatio;
  if (least > 0 && least >= static_cast<int>(fewest)) judge(result, {baseline, candidate});
  return result;
}

Ratio compareTimes(const std::vector<double>& baseline, const std::vector<double>& candidate, std::size_t fewest) {
  Ratio result = compareLogTimes(logTimesOf(baseline), logTimesOf(candidate), fewest);
  if (std::isnan(result.ratio) && !baseline.empty() && !candidate.empty()) result.word = Ratio::Word::ZeroTime;
  result.repeats = {static_cast<int>(candidate.size()), static_cast<int>(baseline.size())};
  return result;
}

}  // namespace lanelab
