// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/predicted_trace.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/schedule/generate.h"
#include "profiler/analysis/idle_causes.h"

namespace lanelab {
namespace {

const std::vector<LaneInfo> kLanes = {{"cpu:0", "cpu:0"}, {"Second", "cpu:1"}};

struct TwoLanes {
  std::vector<Stage> stages;
  StepCosts costs;
  Schedule schedule;
};

TwoLanes lanesInOrder(ScheduleKind kind, WindowKind window) {
  const std::vector<Stage> stages = {{StageId(0), LaneId(0), BlockId(0), BlockId(1)},
                                     {StageId(1), LaneId(1), BlockId(1), BlockId(2)}};
  StepCosts costs;
  costs.whole.blocks = {{"a", 0.001, 0.002, 0, 0.0005}, {"b", 0.002, 0.003, 0, 0.0001}};
  costs.whole.transfers = {0.0002};
  return {stages, costs, *generateSchedule(kind, {LaneId(0), LaneId(1)}, 2, 3, window)};
}

Simulation twoLanes() {
  const TwoLanes made = lanesInOrder(ScheduleKind::OneFOneB, WindowKind::Step);
  return simulate(made.schedule, made.stages, made.costs);
}

TEST(PredictedTrace, HasTheTracksOfAMeasuredOneAndSaysThatItIsPredicted) {
  const auto trace = predictedTrace(twoLanes(), "Pipeline", kLanes);
  EXPECT_EQ(trace->origin, Origin::Predicted);
  EXPECT_EQ(trace->title, "Pipeline");
  ASSERT_EQ(trace->lanes.size(), 2u);
  std::set<std::string> names;
  int actions = 0, transfers = 0;
  for (const Track& track : trace->tracks) {
    names.insert(track.name);
    for (const Span& span : track.spans) {
      EXPECT_EQ(span.step, 0);
      actions += span.category == Category::Action ? 1 : 0;
      transfers += span.category == Category::Transfer ? 1 : 0;
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"compute", "transfer", "steps"}));
  EXPECT_EQ(actions, 3 * 2 * 2 + 2);
  EXPECT_EQ(transfers, 3 * 2);
  const Span first = trace->tracks[0].spans[0];
  EXPECT_EQ(trace->nameOf(first), "0F0");
  EXPECT_EQ(first.range(), (TimeRange{0, 1'000'000}));
  EXPECT_EQ(first.phase, Phase::Forward);
}

TEST(PredictedTrace, GapAnalysisFindsTheSimulationsIdleTime) {
  const Simulation done = twoLanes();
  const std::vector<LaneCauses> gaps = explainIdle(*predictedTrace(done, "Pipeline", kLanes)).lanes;
  ASSERT_EQ(gaps.size(), 2u);
  for (std::size_t lane = 0; lane < 2; ++lane) {
    EXPECT_NEAR(static_cast<double>(gaps[lane].idle), done.lanes[lane].idle * 1e9, 20);
    EXPECT_NEAR(static_cast<double>(gaps[lane].window), done.step_seconds * 1e9, 1);
  }
}

TEST(PredictedTrace, OfAPeriodHasAFewStepsThatOverlap) {
  TwoLanes made = lanesInOrder(ScheduleKind::ZbH1, WindowKind::Period);
  for (BlockCost& block : made.costs.whole.blocks) block.backward_weight = block.backward / 2;
  const Simulation done = simulateSteady(made.schedule, made.stages, made.costs);
  const auto trace = predictedTrace(done, "Pipeline", kLanes);
  const std::vector<StepWindow> steps = stepWindows(*trace);
  ASSERT_EQ(steps.size(), static_cast<std::size_t>(kShownSteps));
  const double period = done.step_seconds * 1e9;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    EXPECT_EQ(steps[step].step, static_cast<int>(step));
    EXPECT_NEAR(static_cast<double>(steps[step].range.start), static_cast<double>(step) * period, 2);
    EXPECT_EQ(steps[step].range.length(), steps[0].range.length());
    EXPECT_GT(static_cast<double>(steps[step].range.length()), period) << "it overlaps with the next";
  }
  for (const Track& track : trace->tracks) {
    if (track.kind != Track::Kind::Compute) continue;
    std::vector<int> actions(steps.size(), 0);
    for (const Span& span : track.spans) ++actions[static_cast<std::size_t>(span.step)];
    EXPECT_EQ(actions, (std::vector<int>(steps.size(), 3 * 3 + 1)));
  }
}

}  // namespace
}  // namespace lanelab
