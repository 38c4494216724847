// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/runner.h"
#include "engine/run/run_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/unit/run/runner_world.h"

namespace lanelab {
namespace {

using Runner = test::RunnerWorld;
namespace fs = std::filesystem;
using test::Script;
using test::ScriptedExecutor;
using test::steadyRepeat;

TEST(Interleave, EveryRoundHoldsEachVariantOnceInSeededOrder) {
  const std::vector<int> order = interleave(3, 40, 5);
  ASSERT_EQ(order.size(), 120u);
  std::set<std::vector<int>> rounds;
  for (std::size_t i = 0; i < order.size(); i += 3) {
    std::vector<int> round(order.begin() + static_cast<std::ptrdiff_t>(i),
                           order.begin() + static_cast<std::ptrdiff_t>(i + 3));
    rounds.insert(round);
    std::sort(round.begin(), round.end());
    EXPECT_EQ(round, (std::vector<int>{0, 1, 2}));
  }
  EXPECT_EQ(rounds.size(), 6u) << "all orders occur";
  EXPECT_EQ(interleave(3, 40, 5), order);
  EXPECT_NE(interleave(3, 40, 6), order);
  EXPECT_TRUE(interleave(0, 3, 1).empty());
}

TEST_F(Runner, WorksOutEachVariantOnce) {
  const ResolutionCount before = resolutionCount();
  ASSERT_TRUE(run().ok());
  const auto variants = static_cast<std::int64_t>(experiment.variants.size());
  EXPECT_EQ(resolutionCount().variants - before.variants, variants) << "by resolve(), before the run";
  EXPECT_EQ(resolutionCount().plans - before.plans, variants);
}

TEST_F(Runner, LoadsOnceAndPreparesAllThenWarmsUpInOrderThenInterleaves) {
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok()) << record.error().message;
  std::vector<std::string> expected = {"load with weights", "prepare Single", "prepare Model parallel",
                                       "prepare Pipeline",  "run Single",     "run Model parallel",
                                       "run Pipeline"};
  const std::vector<std::string> names = {"Single", "Model parallel", "Pipeline"};
  for (const int variant : interleave(3, 5, 0)) expected.push_back("run " + names[static_cast<std::size_t>(variant)]);
  EXPECT_EQ(script.log, expected);
  EXPECT_FALSE(script.holds_weights) << "they are loaded";
  ASSERT_EQ(listener.starts.size(), 18u);
  EXPECT_TRUE(listener.starts[2].warmup);
  EXPECT_FALSE(listener.starts[3].warmup);
  EXPECT_EQ(listener.starts.back().unit, 17);
  EXPECT_EQ(listener.starts.back().units, 18);
  EXPECT_EQ(listener.starts.back().repeat, 4);
  EXPECT_EQ(listener.done, 18);
  EXPECT_EQ(listener.steps.size(), 36u);
  EXPECT_EQ(listener.steps.front().samples, 8);
}

TEST_F(Runner, ATraceThatGrowsIsKeptUntilTheWholeIsThere) {
  std::vector<std::string> kept;
  std::set<std::string> open;
  options.store_live_trace = [&](const std::shared_ptr<const TraceBuilder>& builder, const std::string& path) {
    EXPECT_EQ(builder->spanCount(), 0u);
    kept.push_back(fs::path(path).filename().string());
    std::ofstream(path) << "grows";
    open.insert(kept.back());
    return std::shared_ptr<void>(nullptr, [&open, name = kept.back()](void*) { open.erase(name); });
  };
  script.repeat = [&](const std::string&, int call) {
    EXPECT_EQ(open.size(), call == 0 ? 0u : 1u) << "while a counted repeat runs";
    return steadyRepeat(2, 0.1);
  };
  ASSERT_TRUE(run().ok());
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(std::set<std::string>(kept.begin(), kept.end()),
            (std::set<std::string>{"trace-single.perfetto-trace", "trace-model-parallel.perfetto-trace",
                                   "trace-pipeline.perfetto-trace"}));
  for (const auto& entry : fs::directory_iterator(folder()))
    EXPECT_NE(entry.path().extension(), ".perfetto-trace") << "the whole was written";
}

TEST_F(Runner, TheRecordHoldsWhatWasMeasured) {
  script.repeat = [](const std::string& variant, int call) {
    return steadyRepeat(2, (variant == "Pipeline" ? 0.1 : 0.2) * (1 + 0.001 * call));
  };
  script.warnings = {"3 lanes share 2 CPU cores, so timings are not meaningful. Use at most 2 lanes."};
  options.environment = {{"command", "lanelab-cli run small.json"}};
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(record->status, RunStatus::Done);
  EXPECT_EQ(record->id, "run");
  EXPECT_EQ(record->warnings, script.warnings);
  EXPECT_EQ(listener.warnings, script.warnings);
  const VariantRecord& pipeline = *record->find("Pipeline");
  EXPECT_EQ(pipeline.strategy, Strategy::Pipeline);
  EXPECT_EQ(pipeline.stages, 2);
  EXPECT_EQ(pipeline.split_size, 3);
  EXPECT_EQ(pipeline.micro_batches, 3);
  EXPECT_EQ(pipeline.repeats.size(), 5u);
  EXPECT_NEAR(pipeline.samples_per_second, 80, 1);
  ASSERT_EQ(pipeline.lanes.size(), 2u);
  EXPECT_NEAR(pipeline.lanes[0].window_seconds, 2000e-9, 1e-15);
  EXPECT_NEAR(pipeline.lanes[0].busy_seconds, 1200e-9, 1e-15);
  EXPECT_NEAR(pipeline.lanes[0].idle_seconds, 800e-9, 1e-15);
  EXPECT_EQ(pipeline.lanes[1].busy_seconds, 0);
  EXPECT_EQ(pipeline.lanes[1].idle_seconds, 0) << "a lane without work is not counted as idle";
  EXPECT_EQ(pipeline.lanes[0].peak_bytes, 4096);
  EXPECT_GT(pipeline.lanes[0].forecast.parameters, 0);
  EXPECT_EQ(record->baseline, "Single");
  EXPECT_EQ(record->comparison[2].ratio.word, Ratio::Word::Faster);
  EXPECT_NEAR(record->comparison[2].ratio.ratio, 2, 0.01);
  for (const auto& [key, value] : record->environment) EXPECT_FALSE(value.empty()) << key;
  const Result<RunRecord> stored = readRun(folder());
  ASSERT_TRUE(stored.ok()) << stored.error().message;
  EXPECT_EQ(toJson(*stored), toJson(*record));
}

TEST_F(Runner, WritesTheTraceOfTheFirstAndTheLastCountedRepeat) {
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(traces.size(), 6u);
  for (const char* name : {"trace-single.json.gz", "trace-model-parallel.json.gz", "trace-pipeline.json.gz"}) {
    EXPECT_EQ(std::count(traces.begin(), traces.end(), std::pair<std::string, std::size_t>(name, 4)), 2) << name;
  }
}

TEST_F(Runner, WithoutRecordingThereIsNoTraceAndNoIdleTime) {
  experiment.record = RecordMode::Off;
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_TRUE(traces.empty());
  EXPECT_EQ(listener.starts.front().trace, nullptr);
  EXPECT_NE(toJson(*record).find("\"idle_seconds\": null"), std::string::npos);
}

TEST_F(Runner, AFailureKeepsWhatWasMeasuredSoFar) {
  script.repeat = [](const std::string& variant, int call) {
    RepeatOutcome outcome = steadyRepeat(2);
    if (variant != "Pipeline" || call != 3) return outcome;  // one warm-up, then the third counted one
    outcome = steadyRepeat(1);
    outcome.failure = Error::failed("Lane cpu:1, stage 1, micro-batch 2, backward: out of memory.");
    return outcome;
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Failed);
  EXPECT_NE(record->error.find("micro-batch 2"), std::string::npos);
  EXPECT_EQ(record->find("Pipeline")->repeats.size(), 2u);
  ASSERT_TRUE(record->find("Pipeline")->unfinished);
  EXPECT_EQ(record->find("Pipeline")->unfinished->step_seconds.size(), 1u);
  EXPECT_GE(record->find("Single")->repeats.size(), 2u);
  EXPECT_EQ(toJson(*readRun(folder())), toJson(*record));
  std::set<std::string> names;
  for (const auto& [name, spans] : traces) names.insert(name);
  EXPECT_EQ(names.size(), 3u) << "every variant that was measured has its trace";
}

TEST_F(Runner, AFailureInTheVeryFirstRepeatLeavesAPartialTrace) {
  experiment.warmup = 0;
  script.repeat = [](const std::string&, int) {
    RepeatOutcome outcome = steadyRepeat(1);
    outcome.failure = Error::failed("A stage threw.");
    return outcome;
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Failed);
  ASSERT_EQ(traces.size(), 1u);
  EXPECT_EQ(traces.front().second, 2u);
}

TEST_F(Runner, AnExceptionFromASessionIsAFailureToo) {
  script.repeat = [](const std::string&, int call) -> RepeatOutcome {
    if (call == 1) throw std::runtime_error("surprise");
    return steadyRepeat(2);
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Failed);
  EXPECT_NE(record->error.find("surprise"), std::string::npos);
}

TEST_F(Runner, CancelEndsTheRunAndKeepsTheRest) {
  listener.on_step = [&](const StepDone&) {
    if (!listener.starts.back().warmup && listener.starts.back().repeat == 2) stop.request_stop();
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Cancelled);
  std::size_t measured = 0;
  for (const VariantRecord& variant : record->variants) measured += variant.repeats.size();
  EXPECT_EQ(measured, 7u) << "two rounds of three, and the repeat that was cancelled after its last step";
  EXPECT_EQ(readRun(folder())->status, RunStatus::Cancelled);
}

TEST_F(Runner, WhatFailsAfterTheStopWasCancelled) {
  script.repeat = [this](const std::string&, int call) -> RepeatOutcome {
    if (call == 0) return steadyRepeat(2);
    stop.request_stop();
    throw std::runtime_error("Lost rank 1: its process has ended.");
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Cancelled);
  EXPECT_EQ(record->error, Error::cancelled().message);
}

TEST_F(Runner, GpuActivityOfCountedRepeatsAddsUpAndANoticeIsSaidOnce) {
  script.repeat = [](const std::string& variant, int) {
    RepeatOutcome outcome = steadyRepeat(2);
    if (variant == "Pipeline") outcome.gpu = GpuActivity{.kernels = 100, .dropped = 1, .clock_residual = 700};
    if (variant == "Model parallel")
      outcome.notice = "GPU activity is not recorded: another tool already traces this program.";
    return outcome;
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  ASSERT_TRUE(record->find("Pipeline")->gpu.has_value());
  EXPECT_EQ(record->find("Pipeline")->gpu->kernels, 100 * experiment.repeats) << "warm-ups do not count";
  EXPECT_EQ(record->find("Pipeline")->gpu->dropped, experiment.repeats);
  EXPECT_EQ(record->find("Pipeline")->gpu->clock_residual, 700);
  EXPECT_FALSE(record->find("Model parallel")->gpu.has_value());
  EXPECT_EQ(std::count(listener.warnings.begin(), listener.warnings.end(),
                       "GPU activity is not recorded: another tool already traces this program."),
            1);
  EXPECT_EQ(record->warnings, listener.warnings);
}

TEST_F(Runner, WhatOtherProcessesRecordedOfCountedRepeatsIsKept) {
  experiment.lanes[1].rank = 1;
  experiment.variants.erase(experiment.variants.begin(), experiment.variants.begin() + 2);
  int joined = 0;
  options.join_traces = [&](const std::shared_ptr<const Trace>& own) {
    auto all = std::make_shared<Trace>(*own);
    Track there = all->tracks.front();
    there.lane = 1;
    all->tracks.push_back(there);
    return RecordedTogether{all, {{1, 0, 1000 * (experiment.repeats - joined++)}}};
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(joined, experiment.repeats) << "warm-ups do not count";
  const VariantRecord& variant = record->variants.front();
  EXPECT_EQ(variant.rank_clocks, (std::vector<RankClock>{{1, 0, 5000}})) << "the largest residual";
  EXPECT_DOUBLE_EQ(variant.lanes[1].busy_seconds, variant.lanes[0].busy_seconds / 2);
  EXPECT_DOUBLE_EQ(variant.lanes[1].window_seconds, 2e-6);
  ASSERT_EQ(traces.size(), 2u);
  EXPECT_EQ(traces.back().second, 5u) << "a further row";
}

TEST_F(Runner, AProcessThatIsLostWhenItsTraceIsWantedFailsTheRun) {
  experiment.lanes[1].rank = 1;
  int joined = 0;
  options.join_traces = [&](std::shared_ptr<const Trace> own) {
    if (++joined == 2) return Result<RecordedTogether>(Error::failed("Lost rank 1."));
    return Result<RecordedTogether>(RecordedTogether{std::move(own), {}});
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Failed);
  EXPECT_EQ(record->error, "Lost rank 1.");
  std::size_t measured = 0;
  for (const VariantRecord& variant : record->variants) measured += variant.repeats.size();
  EXPECT_EQ(measured, 1u);
}

TEST_F(Runner, ALossThatIsNotANumberIsKeptAndWarnedOfOnce) {
  script.repeat = [](const std::string&, int) {
    RepeatOutcome outcome = steadyRepeat(2);
    outcome.losses = {std::nan(""), INFINITY};
    return outcome;
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Done);
  const Result<RunRecord> stored = readRun(folder());
  ASSERT_TRUE(stored.ok()) << stored.error().message;
  EXPECT_TRUE(std::isnan(stored->variants[0].repeats[0].losses[0]));
  const std::string wanted = "the loss is not a finite number from step 1 on";
  EXPECT_EQ(std::count_if(stored->warnings.begin(), stored->warnings.end(),
                          [&](const std::string& text) { return text.find(wanted) != std::string::npos; }),
            static_cast<std::ptrdiff_t>(stored->variants.size()));
}

TEST_F(Runner, WeightsAreSavedAfterTheLastRepeatOfEachVariant) {
  options.save_weights = true;
  std::vector<std::string> paths;
  script.save = [&](const std::string& path) {
    paths.push_back(fs::path(path).filename().string());
    return Status();
  };
  ASSERT_TRUE(run().ok());
  std::sort(paths.begin(), paths.end());
  EXPECT_EQ(paths, (std::vector<std::string>{"weights-model-parallel.safetensors", "weights-pipeline.safetensors",
                                             "weights-single.safetensors"}));
}

TEST_F(Runner, WhatStopsItBeforeAnythingWasMeasuredWritesNothing) {
  struct Case {
    const char* name;
    std::function<void()> plant;
    const char* says;
  };
  for (const Case& c :
       std::vector<Case>{{"bad value", [&] { experiment.repeats = 0; }, "repeats"},
                         {"missing device",
                          [&] { script.machine = Error::badInput("lanes[1].device: there is no cuda:7."); }, "cuda:7"},
                         {"bad data",
                          [&] {
                            script.prepare = [](const std::string&) {
                              return Status(Error::badInput("data.path: the file holds no `inputs`."));
                            };
                          },
                          "inputs"}}) {
    const Experiment good = experiment;
    script = {};
    c.plant();
    const Result<RunRecord> record = run();
    ASSERT_FALSE(record.ok()) << c.name;
    EXPECT_EQ(record.error().kind, Error::Kind::BadInput);
    EXPECT_NE(record.error().message.find(c.says), std::string::npos) << record.error().message;
    EXPECT_FALSE(fs::exists(m_root)) << c.name;
    experiment = good;
  }
}

TEST_F(Runner, AFailedPreparationIsAFailedRun) {
  script.prepare = [](const std::string& variant) {
    return variant == "Pipeline" ? Status(Error::failed("Out of memory on lane cpu:1.")) : Status();
  };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Failed);
  EXPECT_EQ(readRun(folder())->error, "Out of memory on lane cpu:1.");
}

TEST_F(Runner, AFolderThatVanishesIsAFailureWithTheFiguresInHand) {
  script.repeat = [&](const std::string&, int call) {
    if (call == 3) fs::remove_all(m_root);
    return steadyRepeat(2);
  };
  std::vector<std::string> told;
  options.failed = [&](const std::string& why) { told.push_back(why); };
  const Result<RunRecord> record = run();
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->status, RunStatus::Failed);
  EXPECT_NE(record->error.find("cannot be written"), std::string::npos) << record->error;
  EXPECT_EQ(told, std::vector<std::string>{record->error}) << "the other processes wait for nothing";
  EXPECT_GE(record->variants[0].repeats.size(), 2u);
}

TEST_F(Runner, AnOccupiedFolderIsRefused) {
  fs::create_directories(folder());
  { std::ofstream(folder() + "/mine.txt") << "x"; }
  const Result<RunRecord> record = run();
  ASSERT_FALSE(record.ok());
  EXPECT_EQ(record.error().kind, Error::Kind::BadInput);
  EXPECT_TRUE(script.log.empty()) << "nothing was prepared";
  EXPECT_FALSE(script.holds_weights) << "the weights that the check read are released";
}

}  // namespace
}  // namespace lanelab
