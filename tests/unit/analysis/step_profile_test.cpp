// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/step_profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/dice.h"
#include "tests/unit/analysis/statistics_world.h"

namespace lanelab {
namespace {

using testworld::StatisticsWorld;
using testworld::ToldSpan;
using Kind = Track::Kind;

StepProfile profileOf(const std::shared_ptr<const Trace>& trace) {
  ImportedTrace imported;
  imported.trace = trace;
  return stepProfile(imported);
}

TEST(StepProfile, TimesPerStepHaveTheSpreadOfTheSteps) {
  const StepTime time = stepTimeOf({10, 12, 14, 16});
  EXPECT_EQ(time.mean, 13);
  EXPECT_EQ(time.steps, 4);
  EXPECT_NEAR(time.squared_error, 20.0 / 3 / 4, 1e-12) << "the variance with n - 1, over n";
  EXPECT_EQ(stepTimeOf({5}).squared_error, 0);
  EXPECT_EQ(stepTimeOf({}).steps, 0);
}

/// Two lanes, three steps that leave a pause between them.
std::shared_ptr<const Trace> threeSteps() {
  StatisticsWorld world({{"", "cpu:0"}, {"", "cpu:1"}});
  std::vector<ToldSpan> steps, first, second, host;
  for (int step = 0; step < 3; ++step) {
    const Nanoseconds at = 1000 * step, more = 10 * step;
    steps.push_back({"step", at, at + 500 + more, Category::Step, -1, step});
    first.push_back({"0F0", at, at + 100 + more, Category::Action, 0, step, Phase::Forward});
    first.push_back({"0B0", at + 400, at + 500 + more, Category::Action, 0, step, Phase::Backward});
    second.push_back({"1F0", at + 150, at + 250, Category::Action, 1, step, Phase::Forward});
    second.push_back({"1B0", at + 250, at + 400, Category::Action, 1, step, Phase::Backward});
    host.push_back({"load", at + 100 + more, at + 120 + more, Category::Data, -1, -1});
    if (step == 1) host.push_back({"flush", at + 130, at + 133, Category::Host, -1, -1});
  }
  host.push_back({"load", 2700, 2750, Category::Data, -1, -1});  // between steps
  return world.row(0, Kind::Step, steps)
      .row(0, Kind::Compute, first)
      .row(0, Kind::Host, host)
      .row(1, Kind::Compute, second)
      .built();
}

TEST(StepProfile, HasStepsLanesStagesAndNames) {
  const StepProfile profile = profileOf(threeSteps());
  EXPECT_EQ(profile.steps, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(profile.lengths, (std::vector<double>{500, 510, 520}));
  EXPECT_EQ(profile.shape.lanes, 2);
  EXPECT_EQ(profile.shape.stages, 2);
  EXPECT_EQ(profile.shape.micro_batches, 1);
  EXPECT_EQ(profile.shape.replicas, 1);
  ASSERT_EQ(profile.lanes.size(), 2U);
  const auto part = [](const auto& parts, TimePart of) { return parts[static_cast<std::size_t>(of)]; };
  EXPECT_EQ(part(profile.lanes[0].parts, TimePart::Compute).mean, 220);
  EXPECT_EQ(part(profile.lanes[1].parts, TimePart::Compute).mean, 250);
  EXPECT_EQ(part(profile.lanes[1].parts, TimePart::Compute).squared_error, 0);
  EXPECT_EQ(profile.lanes[0].idle.mean, 510 - 220);
  EXPECT_EQ(part(profile.parts, TimePart::Compute).mean, 235) << "of the mean lane";
  EXPECT_EQ(part(profile.parts, TimePart::Data).mean, 10);
  EXPECT_NEAR(profile.idle.mean, 510 - 235, 1e-9) << "what is not compute, with the loader";
  ASSERT_EQ(profile.stages.size(), 4U);
  EXPECT_EQ(profile.stages[3].stage, 1);
  EXPECT_EQ(profile.stages[3].phase, Phase::Backward);
  EXPECT_EQ(profile.stages[3].time.mean, 150);
  ASSERT_EQ(profile.names.size(), 2U) << "actions have stages instead";
  EXPECT_EQ(profile.names[0].name, "load");
  EXPECT_EQ(profile.names[0].count, 3U) << "not the one between steps";
  EXPECT_EQ(profile.names[0].time.mean, 20);
  EXPECT_EQ(profile.names[1].time.mean, 1) << "of steps without it, too";
  EXPECT_NEAR(profile.names[1].time.squared_error, 6.0 / 2 / 3, 1e-12) << "0, 3 and 0";
}

TEST(StepProfile, OfATraceWithoutStepsAllCountsAsOne) {
  const auto trace = StatisticsWorld().row(0, Kind::Host, {{"add", 0, 10}, {"mul", 10, 40}, {"add", 50, 70}}).built();
  const StepProfile profile = profileOf(trace);
  EXPECT_TRUE(profile.steps.empty());
  EXPECT_EQ(profile.lengths, (std::vector<double>{70}));
  ASSERT_EQ(profile.names.size(), 2U);
  EXPECT_EQ(profile.names[0].time.mean, 30);
  EXPECT_EQ(profile.names[0].time.steps, 1);
}

TEST(StepProfile, PartsOfEachStepAreThoseOfItsOverview) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    test::Dice dice(seed);
    StatisticsWorld world({{"", "cpu:0"}, {"", "cpu:1"}, {"", "cpu:2"}});
    std::vector<ToldSpan> steps;
    for (int step = 0; step < 4; ++step)
      steps.push_back({"step", 300 * step, 300 * step + dice.between(200, 350), Category::Step, -1, step});
    world.row(0, Kind::Step, steps);
    constexpr Category kKinds[] = {Category::Action, Category::Transfer, Category::Data,
                                   Category::Host,   Category::Memcpy,   Category::Other};
    for (int lane = 0; lane < 3; ++lane) {
      for (const Category kind : kKinds) {
        std::vector<ToldSpan> spans;
        for (Nanoseconds at = dice.between(0, 60); at < 1200; at += dice.between(1, 150)) {
          const Nanoseconds end = at + dice.between(0, 80);
          spans.push_back({"x", at, end, kind, lane, static_cast<int>(at / 300), Phase::Forward});
          at = end;
        }
        world.row(lane, kind == Category::Action ? Kind::Compute : Kind::Host, spans);
      }
    }
    const auto trace = world.built();
    const std::vector<LaneSteps> lanes = laneTimesByStep(*trace, nullptr, {}, stepsOfTracks(*trace, nullptr, {}));
    for (int step = 0; step < 4; ++step) {
      const auto times = countedTimes(*trace, nullptr, {}, {.step = step});
      ASSERT_TRUE(times);
      const TimeOverview overview = timeOverview(*trace, nullptr, {}, *times);
      ASSERT_EQ(overview.lanes.size(), lanes.size());
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        const auto at = static_cast<std::size_t>(step);
        EXPECT_EQ(lanes[lane].windows[at].range.length(), overview.lanes[lane].window);
        EXPECT_EQ(lanes[lane].parts[at], overview.lanes[lane].parts) << "seed " << seed << " step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace lanelab
