// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/forecast_range.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text.h"

namespace lanelab {
namespace {

constexpr double kQuartile = 0.6744897501960817;       // of the standard normal distribution
constexpr double kNinetyPercent = 1.6448536269514722;  // of it, 5 % beyond on each side

/// Standard deviations of log times on an idle machine, from the errors in docs/performance.md: median 1.3 %, single
/// rounds up to 9.1 %. A machine that shares its cores drifts between profile and run, so one calm hour would give half
/// of it, and then hold 72 % of another hour's steps.
constexpr double kStepDeviation = 0.04;
constexpr double kRatioDeviation = 0.03;

void take(Timing& timing, Quartile quartile) {
  if (timing.n > 1) timing.median = quartile == Quartile::Lower ? timing.low : timing.high;
}

/// A standard deviation, of the half of a distribution that has this quartile.
double deviationOf(double ratio) { return std::max(0.0, std::log(ratio)) / kQuartile; }

}  // namespace

BlockProfile atQuartile(BlockProfile profile, Quartile quartile) {
  for (BlockProfile::Size& size : profile.sizes) {
    take(size.forward, quartile);
    take(size.backward, quartile);
    for (BlockTiming& block : size.blocks)
      for (const auto part : {&BlockTiming::forward, &BlockTiming::backward, &BlockTiming::backward_input,
                              &BlockTiming::backward_weight, &BlockTiming::transfer})
        take(block.*part, quartile);
  }
  for (Timing& update : profile.updates) take(update, quartile);
  take(profile.action_overhead, quartile);
  return profile;
}

ForecastRange rangeOfStep(const StepQuartiles& step) {
  if (!(step.median > 0) || !(step.lower > 0) || !(step.upper > 0)) return {step.median, step.median};
  const double averaged = 1 / std::sqrt(std::max(1, step.micro_batches));
  const double other_work = std::log(std::max(1.0, step.slowdown));
  const auto reach = [&](double quartile) {
    const double blocks = averaged * deviationOf(quartile);
    return std::exp(kNinetyPercent * std::hypot(blocks, other_work, kStepDeviation));
  };
  return {step.median / reach(step.median / step.lower), step.median * reach(step.upper / step.median)};
}

ForecastRange rangeOfRatio(double ratio, double error) {
  const double reach = std::exp(kNinetyPercent * std::hypot(kRatioDeviation, std::sqrt(2.0) * error));
  return {ratio / reach, ratio * reach};
}

ForecastRange rangeOfChange(double before, double after, double error) {
  if (before == after) return {after, after};
  const ForecastRange ratio = rangeOfRatio(before / after, error);
  return {before / ratio.high, before / ratio.low};
}

bool isClearChange(const ForecastRange& ratio) { return ratio.low > 1 || ratio.high < 1; }

double slowdownOf(const BlockProfile& profile, int samples) {
  const auto distance = [&](const BlockProfile::Size& size) { return std::abs(size.samples - samples); };
  const auto nearest = std::ranges::min_element(profile.sizes, {}, distance);
  return nearest == profile.sizes.end() ? 1 : nearest->all_lanes_slowdown;
}

bool areEqualPredictions(double seconds, double other) {
  return seconds > 0 && other > 0 && std::abs(std::log(seconds / other)) <= kRatioDeviation;
}

Message rangeText(const ForecastRange& range) {
  const std::string middle = formatSeconds(std::sqrt(range.low * range.high));
  const std::string unit = middle.substr(middle.find(' '));
  const double size = unit == " s" ? 1 : unit == " ms" ? 1e3 : unit == " ns" ? 1e9 : 1e6;
  const auto figures = [&](double end) {
    return end * size < 999.5 ? formatFigures(end * size) : formatNumber(end * size);
  };
  return sentence("{} to {}{}", figures(range.low), figures(range.high), unit);
}

}  // namespace lanelab
