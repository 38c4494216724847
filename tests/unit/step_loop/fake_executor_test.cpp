// SPDX-License-Identifier: GPL-3.0-only
#include "tests/support/fake_executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "tests/unit/step_loop/loop_world.h"

namespace lanelab {
namespace {

struct Prepared {
  Experiment experiment;
  VariantPlan plan;
  ModelSpec model = std::move(describeModel("toy", 5, {10})).value();
};

Prepared twoLanes() {
  Prepared one;
  one.experiment.data.steps = 3;
  one.experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  const Plan plan = planOf({0, 1, 1}, 2, "gpipe", 2);
  one.plan.name = "Pipeline";
  one.plan.stages = plan.stages;
  one.plan.schedule = plan.schedule;
  return one;
}

TEST(FakeExecutor, RunsTheExperimentsSteps) {
  const auto executor = makeFakeExecutor();
  const Prepared one = twoLanes();
  auto session = executor->prepare(one.experiment, one.model, one.plan);
  ASSERT_TRUE(session.ok()) << session.error().message;
  for (int repeat = 0; repeat < 2; ++repeat) {
    const RepeatOutcome outcome = (*session)->runRepeat({});
    EXPECT_TRUE(outcome.failure.ok());
    EXPECT_EQ(outcome.losses, (std::vector<double>{1, 0.5, 1.0 / 3}));
    EXPECT_EQ(outcome.peak_bytes, (std::vector<std::int64_t>{0, 0}));
  }
}

TEST(FakeExecutor, ActionsTakeTheTimeTheyAreTold) {
  FakeBehaviour behaviour;
  behaviour.busy_ns = [](const Action& action) { return action.kind == ActionKind::Forward ? 300'000 : 0; };
  const auto executor = makeFakeExecutor(behaviour);
  const Prepared one = twoLanes();
  auto session = executor->prepare(one.experiment, one.model, one.plan);
  TraceBuilder builder("test", {{"cpu:0", "cpu:0"}, {"cpu:1", "cpu:1"}});
  ASSERT_TRUE((*session)->runRepeat({.trace = &builder}).failure.ok());
  for (const Track& track : builder.snapshot()->tracks) {
    for (const Span& span : track.spans) {
      if (span.category == Category::Action && span.phase == Phase::Forward) {
        EXPECT_GE(span.range().length(), 300'000);
      }
    }
  }
}

TEST(FakeExecutor, PlaysSplitBackwardsToo) {
  std::atomic<int> inputs = 0, weights = 0;
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId, const Action& action, int) {
    inputs += action.kind == ActionKind::BackwardInput;
    weights += action.kind == ActionKind::BackwardWeight;
  };
  const auto executor = makeFakeExecutor(behaviour);
  Prepared one = twoLanes();
  one.plan.schedule = std::move(parseScheduleCsv("0F0,0F1,0I0,0B1,0W0\n1F0,1I0,1F1,1I1,1W0,1W1")).value();
  auto session = executor->prepare(one.experiment, one.model, one.plan);
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_TRUE((*session)->runRepeat({}).failure.ok());
  EXPECT_EQ(inputs, 3 * 3);
  EXPECT_EQ(weights, 3 * 3);
}

TEST(FakeExecutor, AMissingDeviceIsBadInput) {
  const auto executor = makeFakeExecutor();
  Prepared one = twoLanes();
  std::vector<std::string> warnings;
  EXPECT_TRUE(executor->checkMachine(one.experiment, warnings).ok());
  one.experiment.lanes[1].device = Device::cuda(7);
  const Status status = executor->checkMachine(one.experiment, warnings);
  EXPECT_EQ(messageOf(status), "lanes[1].device: there is no \"cuda:7\" here: choose a device of this machine.");
  EXPECT_EQ(status.error().kind, Error::Kind::BadInput);
}

}  // namespace
}  // namespace lanelab
