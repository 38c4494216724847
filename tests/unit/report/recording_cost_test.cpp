// SPDX-License-Identifier: GPL-3.0-only
// What recording costs: the figure, how many steps are spent on it, and what a run makes of it.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <thread>

#include "engine/report/report.h"
#include "engine/report/run_notes.h"
#include "engine/run/recording_trial.h"
#include "engine/run/runner.h"
#include "tests/support/fake_executor.h"
#include "tests/support/resolved.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/experiment/small_experiment.h"
#include "tests/unit/run/scripted_executor.h"

namespace lanelab {
namespace {

std::vector<std::string> recordingSentences(const RunRecord& record) {
  return noteSentences(runNotes(record), {RunNote::Kind::RecordingCost});
}

namespace fs = std::filesystem;

TEST(RecordingCost, IsTheMedianDifferenceOfPairsOverTheMedianStepWithout) {
  const RecordingCost cost = costOf("blocks", {{1.0, 1.01}, {2.0, 2.04}, {4.0, 4.02}});
  EXPECT_EQ(cost.mode, "blocks");
  EXPECT_EQ(cost.pairs, 3);
  EXPECT_NEAR(cost.cost_ratio, 0.01, 1e-12) << "0.02 s of 2 s";
  EXPECT_FALSE(cost.ci95) << "an interval needs 5 pairs";
}

TEST(RecordingCost, TheProcessorsTimeHasAFigureOfItsOwn) {
  const RecordingCost cost =
      costOf("blocks", std::vector<StepPair>(6, {1.0, 1.5}), std::vector<StepPair>(6, {2.0, 2.02}));
  EXPECT_NEAR(cost.cost_ratio, 0.5, 1e-12);
  ASSERT_TRUE(cost.cpu_ratio && cost.cpu_ci95);
  EXPECT_NEAR(*cost.cpu_ratio, 0.01, 1e-12);
  EXPECT_NEAR(cost.cpu_ci95->high, 0.01, 1e-12);
  EXPECT_FALSE(costOf("blocks", {{1, 1}}).cpu_ratio);
}

TEST(RecordingCost, IsNotAShareOfAStepThatTookNoTime) {
  for (const auto& pairs : {std::vector<StepPair>(6, {0.0, 0.5}), std::vector<StepPair>{{1, 1}, {0, 1}, {1, 1}}}) {
    const RecordingCost cost = costOf("blocks", pairs, std::vector<StepPair>(6, {2.0, 2.02}));
    EXPECT_EQ(cost.pairs, 0);
    EXPECT_EQ(recordingCostText(cost).message, "not measured: a step took 0 s");
  }
  const RecordingCost cost =
      costOf("blocks", std::vector<StepPair>(6, {1.0, 1.5}), std::vector<StepPair>(6, {0.0, 0.0}));
  EXPECT_EQ(cost.pairs, 6);
  EXPECT_FALSE(cost.cpu_ratio) << "a clock too coarse for the processor's time";
}

TEST(RecordingCost, DriftThatBothShareCancelsOut) {
  std::vector<double> seconds;
  for (int step = 0; step < trialSteps(8); ++step)
    seconds.push_back(1 + 0.01 * step + (recordedInTrial(step) ? 0.02 : 0));
  double sum = 0;
  for (const StepPair& pair : stepPairs(seconds)) sum += pair.on - pair.off;
  EXPECT_NEAR(sum / 8, 0.02, 1e-12);
}

TEST(RecordingCost, TheIntervalHoldsTheTruthAndShrinksWithPairs) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.01);
  const auto noisy = [&](int pairs) {
    std::vector<StepPair> all;
    for (int i = 0; i < pairs; ++i) all.push_back({1 + noise(random), 1.005 + noise(random)});
    return costOf("actions", all);
  };
  const int intervals = test::casesOf(80, 10);
  int held = 0;
  for (int i = 0; i < intervals; ++i) {
    const RecordingCost cost = noisy(20);
    held += cost.ci95->low <= 0.005 && 0.005 <= cost.ci95->high;
  }
  EXPECT_GE(8 * held, 7 * intervals) << "of " << intervals << ", 95 % on average";
  const Interval few = *noisy(6).ci95, many = *noisy(400).ci95;
  EXPECT_LT(many.high - many.low, 0.5 * (few.high - few.low));
}

TEST(RecordingCost, EqualPairsGiveAnIntervalWithoutWidth) {
  const RecordingCost cost = costOf("actions", std::vector<StepPair>(6, {0.5, 0.5}));
  EXPECT_EQ(cost.cost_ratio, 0);
  ASSERT_TRUE(cost.ci95);
  EXPECT_EQ(cost.ci95->low, 0);
  EXPECT_EQ(cost.ci95->high, 0);
}

TEST(RecordingTrial, BeginsWithAStepThatDoesNotCountAndThenTakesTurnsByABBA) {
  std::string order;
  for (int step = 0; step < trialSteps(4); ++step) order += recordedInTrial(step) ? '+' : '-';
  EXPECT_EQ(order, "+-++--++-");
  EXPECT_EQ(stepPairs({9, 1, 2, 3, 4}).size(), 2u);
  EXPECT_EQ(stepPairs({9, 1, 2, 3, 4})[1].off, 4);
  EXPECT_EQ(stepPairs({9, 1, 2, 3, 4})[1].on, 3);
}

TEST(RecordingTrial, TakesATwentiethOfTheMeasuredTimeAndAlwaysAQuarterOfASecond) {
  struct Case {
    double step, measured;
    bool always;
    int pairs;
    const char* why;
  };
  for (const Case& c :
       {Case{0.7, 7, false, 0, "0.35 s are no whole step"}, Case{0.7, 7, true, 6, "asked for"},
        Case{0.1, 26, false, 6, "13 steps are a twentieth of 260"}, Case{0.1, 25.8, false, 0, "12 steps are too few"},
        Case{0.1, 34, false, 8, "17 steps"}, Case{1e-3, 0.01, false, 40, "0.25 s are 250 steps, and 81 suffice"},
        Case{0.01, 0.02, false, 12, "25 steps of 0.25 s"}, Case{1, 1e9, false, 40, "never more"},
        Case{0, 0, true, 0, "no time at all"}})
    EXPECT_EQ(affordablePairs(c.step, c.measured, c.always), c.pairs) << c.why;
}

class RecordingOfARun : public testing::Test {
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

  struct Counter : RunObserver {
    int steps = 0, repeats = 0;
    void stepDone(const StepDone&) override { ++steps; }
    void repeatDone(double) override { ++repeats; }
  };

  RunRecord run(Executor& executor, std::stop_token stop = {}) {
    counter = {};
    Result<RunRecord> record =
        runExperiment(*test::resolved(experiment), executor, (m_root / std::to_string(m_runs++)).string(), {}, counter,
                      std::move(stop));
    EXPECT_TRUE(record.ok()) << record.error().message;
    return record.ok() ? std::move(*record) : RunRecord();
  }
  RunRecord runFake(FakeBehaviour behaviour = {}, std::stop_token stop = {}) {
    return run(*makeFakeExecutor(std::move(behaviour)), std::move(stop));
  }
  RunRecord readBack() const { return readRun((m_root / std::to_string(m_runs - 1)).string()).value(); }

  Experiment experiment;
  Counter counter;
  const test::TemporaryFolder m_folder;
  const fs::path m_root = m_folder.file("runs");
  int m_runs = 0;
};

TEST_F(RecordingOfARun, EachVariantHasItsFigureAndAllElseIsAsWithout) {
  experiment.record_cost = false;
  const RunRecord without = runFake();
  const Counter told = counter;
  EXPECT_TRUE(recordingSentences(without).empty());
  experiment.record_cost.reset();
  const RunRecord with = runFake();
  EXPECT_EQ(counter.steps, told.steps);
  EXPECT_EQ(counter.repeats, told.repeats);
  ASSERT_EQ(with.variants.size(), without.variants.size());
  for (std::size_t v = 0; v < with.variants.size(); ++v) {
    const VariantRecord& variant = with.variants[v];
    ASSERT_EQ(variant.repeats.size(), without.variants[v].repeats.size());
    for (std::size_t r = 0; r < variant.repeats.size(); ++r) {
      EXPECT_EQ(variant.repeats[r].losses, without.variants[v].repeats[r].losses);
      EXPECT_EQ(variant.repeats[r].step_seconds.size(), without.variants[v].repeats[r].step_seconds.size());
    }
    ASSERT_TRUE(variant.recording) << variant.name;
    EXPECT_EQ(variant.recording->mode, "blocks");
    EXPECT_GE(variant.recording->pairs, 6);
    EXPECT_TRUE(variant.recording->ci95);
    EXPECT_FALSE(without.variants[v].recording);
  }
  ASSERT_EQ(recordingSentences(with).size(), 1u);
  EXPECT_EQ(recordingSentences(with)[0].rfind("Recording cost (blocks): Single ", 0), 0u)
      << recordingSentences(with)[0];
  const RunRecord kept = readBack();
  EXPECT_EQ(kept.variants[1].recording->cost_ratio, with.variants[1].recording->cost_ratio);
  EXPECT_EQ(kept.variants[1].recording->ci95->high, with.variants[1].recording->ci95->high);
  EXPECT_EQ(kept.variants[1].recording->pairs, with.variants[1].recording->pairs);
  ASSERT_TRUE(kept.variants[1].recording->cpu_ratio && kept.variants[1].recording->cpu_ci95);
  EXPECT_EQ(kept.variants[1].recording->cpu_ratio, with.variants[1].recording->cpu_ratio);
  EXPECT_EQ(kept.variants[1].recording->cpu_ci95->low, with.variants[1].recording->cpu_ci95->low);
}

TEST_F(RecordingOfARun, WithoutARecordingThereIsNoCost) {
  experiment.record = RecordMode::Off;
  for (const VariantRecord& variant : runFake().variants) EXPECT_FALSE(variant.recording) << variant.name;
}

TEST_F(RecordingOfARun, AShortRunSaysThatItIsTooShortAndDoesAsItIsTold) {
  test::Script script;  // steps of 0.25 s
  test::ScriptedExecutor executor(script);
  const RunRecord brief = run(executor);
  ASSERT_TRUE(brief.variants[0].recording);
  EXPECT_EQ(recordingCostText(*brief.variants[0].recording).message,
            "not measured: the run is too short; \"record_cost\": true in the experiment measures it all the same");
  EXPECT_EQ(recordingSentences(readBack()),
            std::vector<std::string>{"Recording cost: not measured: the run is too short; \"record_cost\": true in the "
                                     "experiment measures it all the same."});
  experiment.record_cost = true;
  EXPECT_EQ(recordingSentences(run(executor)),
            std::vector<std::string>{
                "Recording cost: not measured: its steps failed: This session has no steps to compare."});
}

TEST_F(RecordingOfARun, AFailureInItsStepsIsNoFailureOfTheRun) {
  std::atomic<int> forwards = 0;
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId, const Action& action, int) {
    // A warm-up and five repeats of two steps in one micro-batch.
    if (action.kind == ActionKind::Forward && ++forwards > 12) throw std::runtime_error("planted");
  };
  experiment.variants.resize(1);
  const RunRecord record = runFake(behaviour);
  EXPECT_EQ(record.status, RunStatus::Done);
  EXPECT_EQ(record.variants[0].repeats.size(), 5u);
  ASSERT_TRUE(record.variants[0].recording);
  EXPECT_EQ(record.variants[0].recording->pairs, 0);
  EXPECT_NE(recordingSentences(record).at(0).find("planted"), std::string::npos) << recordingSentences(record).at(0);
}

TEST_F(RecordingOfARun, ACancelInItsStepsKeepsTheVariantWhole) {
  std::stop_source stop;
  std::atomic<int> forwards = 0;
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId, const Action& action, int) {
    if (action.kind == ActionKind::Forward && ++forwards == 15) std::thread([&] { stop.request_stop(); }).join();
  };
  experiment.variants.resize(1);
  const RunRecord record = runFake(behaviour, stop.get_token());
  EXPECT_EQ(record.status, RunStatus::Done) << "all of it was measured";
  EXPECT_EQ(record.variants[0].repeats.size(), 5u);
  EXPECT_FALSE(record.variants[0].recording);
  EXPECT_LT(forwards, 20);
}

TEST(RecordingText, TellsFigureIntervalAndPairs) {
  EXPECT_EQ(recordingCostText({"blocks", 0.0042, Interval{-0.0018, 0.0093}, 8, ""}).message,
            "0.4 % of a step (95 % CI -0.2 to 0.9 %, 8 pairs, measured)");
  EXPECT_EQ(
      recordingCostText({"blocks", 0.0042, Interval{-0.0018, 0.0093}, 8, "", 0.003, Interval{0.001, 0.005}}).message,
      "0.4 % of a step (95 % CI -0.2 to 0.9 %, 8 pairs, measured), 0.3 % of its processor time (0.1 to 0.5 %)");
  EXPECT_EQ(recordingCostText({"blocks", -0.0001, std::nullopt, 1, ""}).message, "0.0 % of a step (1 pair, measured)");
}

TEST(RecordingText, TheReportHasIt) {
  RunRecord record;
  record.variants.resize(2);
  record.variants[0].name = "Single";
  record.variants[1].name = "Pipeline";
  record.variants[0].recording = RecordingCost{"operators", 0.012, Interval{0.01, 0.014}, 40, ""};
  record.variants[1].recording = RecordingCost{"operators", 0, std::nullopt, 0, "the run is too short"};
  const std::string html = htmlReport(record, {});
  EXPECT_NE(html.find("Recording cost (operators): Single 1.2 % of a step (95 % CI 1.0 to 1.4 %, 40 pairs, measured)."),
            std::string::npos);
  EXPECT_NE(html.find("Recording cost of Pipeline: not measured: the run is too short; "), std::string::npos);
}

}  // namespace
}  // namespace lanelab
