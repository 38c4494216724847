// SPDX-License-Identifier: GPL-3.0-only
// The time that a run still takes, by a clock that the tests set.
#include "engine/run/time_left.h"

#include <gtest/gtest.h>

#include <numeric>

namespace lanelab {
namespace {

TimeLeft::Time at(double seconds) {
  return TimeLeft::Time{} + std::chrono::microseconds(static_cast<std::int64_t>(1e6 * seconds));
}

TEST(TimeLeft, WeighsEachVariantByItsOwnSpeed) {
  TimeLeft left({2, 0, 3});
  EXPECT_EQ(left.seconds(at(0)), -1);
  left.unitStarted(0, false, 1, at(0));
  left.stepDone(4, at(4));
  left.unitDone(at(4));
  EXPECT_DOUBLE_EQ(left.seconds(at(4)), 2 * 4 + 3 * 4) << "the other variant is unknown, so it counts as the mean";
  left.unitStarted(1, false, 1, at(4));
  left.stepDone(1, at(5));
  left.unitDone(at(5));
  EXPECT_DOUBLE_EQ(left.seconds(at(5)), 2 * 4 + 2 * 1);
  left.unitStarted(0, false, 1, at(5));
  EXPECT_DOUBLE_EQ(left.seconds(at(6)), 2 * 4 + 2 * 1 - 1);
  EXPECT_DOUBLE_EQ(left.seconds(at(99)), 1 * 4 + 2 * 1) << "a slow unit never makes the rest negative";
}

TEST(TimeLeft, JudgesTheFirstUnitByItsSteps) {
  TimeLeft left({1, 0, 2});
  left.unitStarted(0, false, 4, at(0));
  left.stepDone(5, at(5));
  EXPECT_EQ(left.seconds(at(5)), -1) << "the first step misleads";
  left.stepDone(1, at(6));
  EXPECT_DOUBLE_EQ(left.seconds(at(6)), 2 * 1 + 4 * 1) << "two steps are left, and a repeat at their pace";
  EXPECT_DOUBLE_EQ(left.seconds(at(6.5)), 1.5 + 4);
  left.stepDone(1, at(7));
  left.stepDone(1, at(8));
  left.unitDone(at(8));
  EXPECT_DOUBLE_EQ(left.seconds(at(8)), 8) << "from now on by its length";
}

TEST(TimeLeft, AWarmUpDoesNotCountForRepeatsWithItsFirstStep) {
  TimeLeft left({1, 1, 3});
  left.unitStarted(0, true, 2, at(0));
  left.stepDone(9, at(9.5));
  left.stepDone(2, at(11.5));
  left.unitDone(at(11.5));
  EXPECT_DOUBLE_EQ(left.seconds(at(11.5)), 3 * (0.5 + 2 * 2));
  left.unitStarted(0, false, 2, at(11.5));
  left.stepDone(2, at(13.5));
  left.stepDone(2, at(15.5));
  left.unitDone(at(15.5));
  EXPECT_DOUBLE_EQ(left.seconds(at(15.5)), 2 * 4);
}

/// A unit as a run did it: the seconds of its steps and of what came before and after them.
struct Unit {
  int variant;
  bool warmup;
  std::vector<double> steps;
  double beside = 0.05;
  double seconds() const { return std::accumulate(steps.begin(), steps.end(), beside); }
};

struct Recorded {
  const char* name;
  RunUnits units;
  std::vector<Unit> sequence;
};

/// Estimate over truth, less 1, when `share` of the units' time is over.
double errorAt(const Recorded& run, double share) {
  const double all = std::accumulate(run.sequence.begin(), run.sequence.end(), 0.0,
                                     [](double sum, const Unit& unit) { return sum + unit.seconds(); });
  const double asked = share * all;
  TimeLeft left(run.units);
  double now = 0;
  for (const Unit& unit : run.sequence) {
    left.unitStarted(unit.variant, unit.warmup, static_cast<int>(unit.steps.size()), at(now));
    double in_unit = now + unit.beside;
    for (const double step : unit.steps) {
      if (in_unit + step > asked) return left.seconds(at(asked)) / (all - asked) - 1;
      in_unit += step;
      left.stepDone(step, at(in_unit));
    }
    now = in_unit;
    left.unitDone(at(now));
  }
  return left.seconds(at(all));
}

/// Each variant warms up once, then five rounds; a repeat of variant v takes `repeats[v]` seconds in each of its steps.
Recorded steady(const char* name, const std::vector<std::vector<double>>& warmups,
                const std::vector<std::vector<double>>& repeats, const std::vector<std::vector<int>>& rounds) {
  Recorded run{name, {static_cast<int>(warmups.size()), 1, static_cast<int>(rounds.size())}, {}};
  for (std::size_t v = 0; v < warmups.size(); ++v) run.sequence.push_back({static_cast<int>(v), true, warmups[v]});
  for (const std::vector<int>& round : rounds)
    for (const int v : round) run.sequence.push_back({v, false, repeats[static_cast<std::size_t>(v)]});
  return run;
}

const std::vector<std::vector<int>> kDemoRounds = {{2, 1, 0}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}, {2, 1, 0}};

std::vector<Recorded> recordedRuns() {
  return {
      // The demo on two cores, repeat by repeat; steady for all but a few of them.
      {"DemoOnTwoCores",
       {3, 1, 5},
       {{0, true, {1.05, 0.75}},
        {1, true, {1.25, 0.84}},
        {2, true, {1.50, 1.19}},
        {2, false, {1.176, 1.124}},
        {1, false, {0.993, 0.836}},
        {0, false, {0.777, 0.766}},
        {0, false, {0.713, 0.765}},
        {2, false, {1.170, 1.467}},
        {1, false, {1.214, 1.206}},
        {1, false, {1.181, 1.102}},
        {0, false, {0.839, 0.756}},
        {2, false, {1.220, 1.170}},
        {2, false, {1.200, 1.262}},
        {1, false, {0.856, 0.848}},
        {0, false, {0.749, 0.915}},
        {2, false, {1.222, 1.275}},
        {1, false, {0.880, 0.900}},
        {0, false, {0.770, 0.773}}}},
      // The same beside other programs.
      {"DemoBesideOthers",
       {3, 1, 5},
       {{0, true, {1.616, 1.123}},
        {1, true, {1.829, 1.119}},
        {2, true, {1.808, 1.649}},
        {2, false, {1.616, 1.768}},
        {1, false, {1.379, 1.217}},
        {0, false, {1.088, 1.322}},
        {0, false, {1.092, 1.060}},
        {2, false, {1.633, 1.667}},
        {1, false, {0.863, 0.863}},
        {1, false, {0.872, 0.847}},
        {0, false, {0.825, 0.863}},
        {2, false, {1.221, 1.103}},
        {2, false, {1.739, 1.778}},
        {1, false, {1.176, 1.185}},
        {0, false, {1.107, 1.181}},
        {2, false, {2.105, 1.975}},
        {1, false, {1.290, 1.350}},
        {0, false, {1.032, 1.016}}}},
      // 36 s were left after a quarter of 48 s, and 50 s were told when a warm-up counted as a repeat.
      steady("SlowWarmUps", {{2.2, 0.98}, {1.9, 1.27}, {2.2, 1.5}}, {{0.98, 0.98}, {1.25, 1.25}, {1.46, 1.46}},
             kDemoRounds),
      // One step a repeat: a warm-up has no later step that would say how slow its first one was.
      steady("OneStepEach", {{1.2}, {2.2}, {3.2}}, {{1.0}, {2.0}, {3.0}}, kDemoRounds),
      steady("ManySteps", {std::vector<double>(30, 0.1)}, {std::vector<double>(30, 0.1)}, {{0}, {0}, {0}, {0}}),
  };
}

class TimeLeftOf : public testing::TestWithParam<Recorded> {};

TEST_P(TimeLeftOf, ASteadyRunIsWithinAFifthAfterAQuarter) {
  for (const double share : {0.25, 0.3, 0.4, 0.5, 0.75}) {
    const double error = errorAt(GetParam(), share);
    std::printf("%s: after %.0f %% of the run the estimate is %+.1f %% off\n", GetParam().name, 100 * share,
                100 * error);
    EXPECT_LT(std::abs(error), 0.2) << "after " << share;
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, TimeLeftOf, testing::ValuesIn(recordedRuns()),
                         [](const auto& run) { return std::string(run.param.name); });

}  // namespace
}  // namespace lanelab
