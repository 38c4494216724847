// SPDX-License-Identifier: GPL-3.0-only
// A run of three variants with a scripted executor, for the tests of the runner.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/run/runner.h"
#include "tests/support/resolved.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/experiment/small_experiment.h"
#include "tests/unit/run/scripted_executor.h"

namespace lanelab::test {

/// Writes down what a run reports.
class Listener : public RunObserver {
 public:
  std::vector<RepeatStart> starts;
  std::vector<StepDone> steps;
  int done = 0;
  std::vector<std::string> warnings;
  std::function<void(const StepDone&)> on_step;

  void repeatStarted(const RepeatStart& start) override { starts.push_back(start); }
  void stepDone(const StepDone& step) override {
    steps.push_back(step);
    if (on_step) on_step(step);
  }
  void repeatDone(double) override { ++done; }
  void warned(const std::string& sentence) override { warnings.push_back(sentence); }
};

/// An experiment of three variants, the executor that runs it as `script` says, and the folder of its run.
class RunnerWorld : public ::testing::Test {
 protected:
  void SetUp() override {
    experiment = smallExperiment();
    VariantConfig parallel{
        "Model parallel", Strategy::ModelParallel, ScheduleKind::Gpipe, {}, {}, std::vector<std::string>{}, {}};
    const ModelSpec model = modelIn(experiment);
    parallel.cuts->push_back(model.blocks[1].name);
    VariantConfig pipeline = parallel;
    pipeline.name = "Pipeline";
    pipeline.strategy = Strategy::Pipeline;
    pipeline.split_size = 3;
    experiment.variants.push_back(parallel);
    experiment.variants.push_back(pipeline);
  }

  Result<RunRecord> run() {
    ScriptedExecutor executor(script);
    options.write_trace = [this](const Trace& trace, const std::string& path) {
      traces.push_back({std::filesystem::path(path).filename().string(), trace.spanCount()});
      return Status();
    };
    return runExperiment(*resolve(experiment), executor, folder(), options, listener, stop.get_token());
  }
  std::string folder() const { return (m_root / "run").string(); }

  Experiment experiment;
  Script script;
  RunOptions options;
  Listener listener;
  std::stop_source stop;
  std::vector<std::pair<std::string, std::size_t>> traces;
  const TemporaryFolder m_folder;
  const std::filesystem::path m_root = m_folder.file("runs");
};

}  // namespace lanelab::test
