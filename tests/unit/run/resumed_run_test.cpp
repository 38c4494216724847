// SPDX-License-Identifier: GPL-3.0-only
// Runs that resume: what was measured stays, and only the same experiment continues.
#include "tests/unit/run/runner_world.h"

namespace lanelab {
namespace {

using ResumedRun = test::RunnerWorld;
using test::steadyRepeat;

RepeatOutcome noPower() {
  RepeatOutcome outcome;
  outcome.failure = Error::failed("The power went.");
  return outcome;
}

TEST_F(ResumedRun, GoesOnWithAnUnfinishedRunAndKeepsWhatItMeasured) {
  script.repeat = [](const std::string& variant, int call) {
    RepeatOutcome outcome = steadyRepeat(2, 0.5);
    if (variant == "Pipeline" && call == 3) outcome.failure = Error::failed("The power went.");
    return outcome;
  };
  const Result<RunRecord> first = run();
  ASSERT_TRUE(first.ok());
  ASSERT_EQ(first->status, RunStatus::Failed);
  script = {};
  options.resume = true;
  const Result<RunRecord> second = run();
  ASSERT_TRUE(second.ok()) << second.error().message;
  EXPECT_EQ(second->status, RunStatus::Done);
  EXPECT_EQ(second->error, "");
  for (std::size_t v = 0; v < second->variants.size(); ++v) {
    const auto& before = first->variants[v].repeats;
    const auto& after = second->variants[v].repeats;
    ASSERT_EQ(after.size(), static_cast<std::size_t>(experiment.repeats));
    for (std::size_t i = 0; i < after.size(); ++i)
      EXPECT_EQ(after[i].step_seconds[0], i < before.size() ? 0.5 : 0.25) << second->variants[v].name << i;
    EXPECT_FALSE(second->variants[v].unfinished);
  }
  ASSERT_FALSE(second->warnings.empty());
  EXPECT_NE(second->warnings.back().find("Resumed at"), std::string::npos);
}

TEST_F(ResumedRun, LeavesAFinishedRunAsItIs) {
  const Result<RunRecord> first = run();
  options.resume = true;
  script.log.clear();
  const Result<RunRecord> again = run();
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(toJson(*again), toJson(*first));
  EXPECT_TRUE(script.log.empty());
}

TEST_F(ResumedRun, BeginsWhereThereIsNothingToGoOnWith) {
  options.resume = true;
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->status, RunStatus::Done);
}

TEST_F(ResumedRun, GoesOnUnderAnotherMemoryLimit) {
  script.repeat = [](const std::string&, int) { return noPower(); };
  ASSERT_TRUE(run().ok());
  experiment.lanes.back().memory_limit_mib = 1e6;
  script = {};
  options.resume = true;
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->status, RunStatus::Done);
}

TEST_F(ResumedRun, DoesNotGoOnWithTheRunOfAnotherExperiment) {
  script.repeat = [](const std::string&, int) { return noPower(); };
  ASSERT_TRUE(run().ok());
  experiment.training.lr *= 2;
  options.resume = true;
  const Result<RunRecord> record = run();
  ASSERT_FALSE(record.ok());
  EXPECT_EQ(record.error().kind, Error::Kind::BadInput);
  EXPECT_NE(record.error().message.find("another experiment"), std::string::npos);
  EXPECT_EQ(readRun(folder())->status, RunStatus::Failed);
}
}  // namespace
}  // namespace lanelab
