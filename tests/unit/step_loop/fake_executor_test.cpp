// SPDX-License-Identifier: GPL-3.0-only
#include "tests/support/fake_executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "tests/support/prepared.h"
#include "tests/unit/step_loop/loop_world.h"
#include "tests/unit/two_lane_pipeline.h"

namespace lanelab {
namespace {

/// A gpipe pipeline of two stages and two micro-batches, three steps.
Experiment twoLanes() {
  Experiment experiment = test::twoLanePipeline({"toy", 5, std::nullopt}, {10}, "net2");
  experiment.variants[0].schedule = ScheduleKind::Gpipe;
  experiment.data.steps = 3;
  return experiment;
}

Result<std::unique_ptr<Session>> prepare(Executor& executor, const Experiment& experiment) {
  return prepare(executor, resolve(experiment)->variants().front(), experiment.data.steps);
}

TEST(FakeExecutor, RunsTheExperimentsSteps) {
  const auto executor = makeFakeExecutor();
  auto session = prepare(*executor, twoLanes());
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
  auto session = prepare(*executor, twoLanes());
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
  Experiment experiment = twoLanes();
  experiment.variants[0].actions = {"0F0,0F1,0I0,0B1,0W0", "1F0,1I0,1F1,1I1,1W0,1W1"};
  auto session = prepare(*executor, experiment);
  ASSERT_TRUE(session.ok()) << session.error().message;
  EXPECT_TRUE((*session)->runRepeat({}).failure.ok());
  EXPECT_EQ(inputs, 3 * 3);
  EXPECT_EQ(weights, 3 * 3);
}

TEST(FakeExecutor, AMissingDeviceIsBadInput) {
  const auto executor = makeFakeExecutor();
  Experiment experiment = twoLanes();
  std::vector<std::string> warnings;
  EXPECT_TRUE(executor->checkMachine(*resolve(experiment), warnings).ok());
  experiment.lanes[1].device = Device::cuda(7);
  const auto status = executor->checkMachine(*resolve(experiment), warnings);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "lanes[1].device: there is no \"cuda:7\" here: choose a device of this machine.");
  EXPECT_EQ(status.error().kind, Error::Kind::BadInput);
}

}  // namespace
}  // namespace lanelab
