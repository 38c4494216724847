// SPDX-License-Identifier: GPL-3.0-only
// Whole runs on fake lanes: the runner with real threads, planted failures and a cancel that comes from another thread.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "engine/run/runner.h"
#include "tests/support/fake_executor.h"
#include "tests/support/resolved.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

namespace fs = std::filesystem;

class FakeRun : public testing::Test {
 protected:
  void SetUp() override {
    experiment = test::smallExperiment();
    const ModelSpec model = test::modelIn(experiment);
    experiment.variants.push_back({"Pipeline",
                                   Strategy::Pipeline,
                                   ScheduleKind::OneFOneB,
                                   2,
                                   {},
                                   std::vector<std::string>{model.blocks[1].name},
                                   {}});
  }

  Result<RunRecord> run(const std::string& name, FakeBehaviour behaviour, std::stop_token stop = {}) {
    const std::unique_ptr<Executor> executor = makeFakeExecutor(std::move(behaviour));
    RunObserver silent;
    return runExperiment(*resolve(experiment), *executor, (m_root / name).string(), {}, silent, std::move(stop));
  }

  Experiment experiment;
  const test::TemporaryFolder m_folder;
  const fs::path m_root = m_folder.file("runs");
};

TEST_F(FakeRun, BusyAndIdleMakeTheWindowOfEveryLane) {
  const Result<RunRecord> record = run("good", {});
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->status, RunStatus::Done);
  for (const VariantRecord& variant : record->variants) {
    EXPECT_EQ(variant.repeats.size(), 5u);
    EXPECT_EQ(variant.repeats.back().losses, (std::vector<double>{1.0, 0.5}));
    for (const LaneRecord& lane : variant.lanes) {
      EXPECT_EQ(lane.window_seconds > 0, lane.busy_seconds > 0) << variant.name;
      EXPECT_NEAR(lane.busy_seconds + lane.idle_seconds, lane.window_seconds, 1e-12) << variant.name;
      EXPECT_EQ(lane.cpu_seconds > 0, lane.busy_seconds > 0) << variant.name;
      EXPECT_LE(lane.cpu_seconds, lane.busy_seconds) << variant.name;
    }
  }
  EXPECT_GT(record->find("Pipeline")->lanes[1].busy_seconds, 0);
  EXPECT_EQ(record->find("Single")->lanes[1].busy_seconds, 0);
}

TEST_F(FakeRun, EpochsAreToldWrittenAndCounted) {
  struct Listener : RunObserver {
    void repeatStarted(const RepeatStart& start) override { steps = start.steps; }
    void stepDone(const StepDone& step) override { images += step.samples; }
    void epochDone(int, int epoch, const EpochResult& result) override { epochs.emplace_back(epoch, result); }
    std::vector<std::pair<int, EpochResult>> epochs;
    int steps = 0;
    int images = 0;
  } listener;
  experiment.data.source = DataSource::Digits;
  experiment.data.batch = 3;
  experiment.data.epochs = 2;
  experiment.repeats = 1;
  experiment.warmup = 0;
  experiment.variants.resize(1);
  FakeBehaviour behaviour;
  behaviour.training_rows = 10;
  const std::unique_ptr<Executor> executor = makeFakeExecutor(behaviour);
  const Result<RunRecord> record =
      runExperiment(*resolve(experiment), *executor, (m_root / "epochs").string(), {}, listener, {});
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->experiment, experiment);
  EXPECT_EQ(record->samples, 20);
  EXPECT_EQ(listener.steps, 8);
  EXPECT_EQ(listener.images, 20);
  ASSERT_EQ(listener.epochs.size(), 2u);
  EXPECT_EQ(listener.epochs[1].first, 1);
  ASSERT_EQ(record->variants[0].repeats[0].epochs.size(), 2u);
  EXPECT_EQ(record->variants[0].repeats[0].epochs[1], listener.epochs[1].second);
  EXPECT_TRUE(fs::exists(m_root / "epochs" / "epochs.csv"));
}

TEST_F(FakeRun, AStageThatThrowsEndsTheRunAndTheNextOneWorks) {
  std::atomic<int> backwards = 0;
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId lane, const Action& action, int) {
    if (lane == LaneId(1) && action.kind == ActionKind::Backward && ++backwards == 20)
      throw std::runtime_error("planted");
  };
  const Result<RunRecord> failed = run("bad", behaviour);
  ASSERT_TRUE(failed.ok());
  EXPECT_EQ(failed->status, RunStatus::Failed);
  EXPECT_NE(failed->error.find("planted"), std::string::npos) << failed->error;
  EXPECT_EQ(failed->find("Pipeline")->repeats.size(), 1u)
      << "8 backwards a repeat: the warm-up and one counted repeat were whole";
  EXPECT_EQ(readRun((m_root / "bad").string())->status, RunStatus::Failed);
  EXPECT_EQ(run("next", {})->status, RunStatus::Done);
}

TEST_F(FakeRun, ACancelFromAnotherThreadKeepsWhatWasMeasured) {
  std::stop_source stop;
  std::atomic<int> forwards = 0;
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId lane, const Action& action, int) {
    if (lane != LaneId(1) || action.kind != ActionKind::Forward || ++forwards != 20) return;
    std::thread([&] { stop.request_stop(); }).join();
  };
  const Result<RunRecord> record = run("cancelled", behaviour, stop.get_token());
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Cancelled);
  EXPECT_EQ(record->find("Pipeline")->repeats.size(), 1u);
  EXPECT_EQ(readRun((m_root / "cancelled").string())->status, RunStatus::Cancelled);
}

}  // namespace
}  // namespace lanelab
