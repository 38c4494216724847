// SPDX-License-Identifier: GPL-3.0-only
// The split-size sweep: which experiment it is, and which curve comes out of a run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/advise/sweep.h"
#include "tests/support/resolved.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Experiment withPipeline() {
  Experiment experiment = test::smallExperiment();  // batch 8, a single variant
  VariantConfig pipeline;
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.schedule = ScheduleKind::OneFOneB;
  pipeline.split_size = 2;
  pipeline.cuts = std::vector<std::string>{"net2"};
  experiment.variants.push_back(pipeline);
  return experiment;
}

std::string refusal(const Experiment& experiment, const std::vector<int>& splits) {
  const auto sweep = sweepOf(*test::resolved(experiment), splits);
  EXPECT_FALSE(sweep.ok());
  EXPECT_EQ(sweep.error().kind, Error::Kind::BadInput);
  return sweep.error().message;
}

TEST(SweepOf, IsThePipelineAtEachSplitSizeAndCanRun) {
  const auto sweep = sweepOf(*test::resolved(withPipeline()), {1, 3, 8});
  ASSERT_TRUE(sweep.ok()) << sweep.error().message;
  const auto plans = test::plansIn(*sweep);
  ASSERT_TRUE(plans.ok()) << plans.error().message;
  ASSERT_EQ(plans->size(), 3u);
  EXPECT_EQ((*plans)[1].name, "Split 3");
  EXPECT_EQ((*plans)[1].schedule_kind, ScheduleKind::OneFOneB);
  EXPECT_EQ((*plans)[0].micro_batches.count(), 8);
  EXPECT_EQ((*plans)[1].micro_batches.count(), 3);
  EXPECT_EQ((*plans)[2].micro_batches.count(), 1);
}

TEST(SweepOf, SaysWhatItCannotSweep) {
  EXPECT_THAT(refusal(test::smallExperiment(), {1}), HasSubstr("needs a pipeline variant"));
  EXPECT_THAT(refusal(withPipeline(), {1, 9}), HasSubstr("from 1 to 8"));
  EXPECT_THAT(refusal(withPipeline(), {0}), HasSubstr("from 1 to 8"));
  EXPECT_THAT(refusal(withPipeline(), {2, 4, 2}), HasSubstr("2 is given twice"));
  EXPECT_THAT(refusal(withPipeline(), {}), HasSubstr("name some"));
}

TEST(UsualSplitSizes, SuitTheBatchAndHaveThePresentOneAndTheLargest) {
  struct Case {
    int batch, present;
    std::vector<int> sizes;
  };
  for (const Case& c : {Case{120, 20, {1, 3, 5, 8, 10, 12, 20, 40, 60}},  // those of PyTorch's tutorial
                        Case{120, 7, {1, 3, 5, 7, 8, 10, 12, 20, 40, 60}}, Case{64, 8, {1, 2, 4, 8, 16, 32}},
                        Case{64, 64, {1, 2, 4, 8, 16, 32, 64}}, Case{24, 0, {1, 2, 3, 4, 6, 8, 12}},
                        Case{96, 10, {1, 2, 3, 4, 8, 10, 12, 16, 24, 48}}, Case{37, 0, {1, 2, 3, 4, 5, 7, 10, 13, 19}},
                        Case{22, 11, {1, 2, 3, 4, 6, 8, 11}}, Case{2, 1, {1}}, Case{1, 1, {1}},
                        Case{4096, 0, {1, 2, 4, 16, 32, 64, 256, 512, 2048}}}) {
    EXPECT_EQ(usualSplitSizes(c.batch, c.present), c.sizes) << c.batch;
  }
  for (int batch = 2; batch <= 1500; batch += 7) {
    const std::vector<int> sizes = usualSplitSizes(batch, 1 + batch / 3);
    EXPECT_LE(sizes.size(), 10U) << batch;
    EXPECT_TRUE(std::ranges::count(sizes, 1 + batch / 3)) << batch;
    EXPECT_GE(sizes.back(), batch / 2) << batch;
    EXPECT_LE(MicroBatches({batch, sizes.back()}).count(), 2) << batch;
  }
}

RunRecord sweepRun() {
  RunRecord record;
  record.experiment = *sweepOf(*test::resolved(withPipeline()), {8, 2});
  record.variants = {{}, {}};
  record.variants[0].name = "Split 8";
  record.variants[0].split_size = 8;
  record.variants[0].micro_batches = 1;
  record.variants[1].name = "Split 2";
  record.variants[1].split_size = 2;
  record.variants[1].micro_batches = 4;
  record.variants[1].repeats = {{9, {2, 1, 6}, {}}, {6, {2, 2, 2}, {}}, {7.5, {2, 2.5, 3}, {}}};
  record.predictions = {{"Split 4", 4, 2, 1.5}, {"Split 2", 2, 4, 2.2}};
  return record;
}

TEST(SweepPoints, AreAscendingAndOneSlowStepDoesNotMoveThem) {
  const std::vector<SweepPoint> points = sweepPoints(sweepRun());
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].split_size, 2);
  EXPECT_EQ(points[0].measured, 2.0);
  EXPECT_EQ(points[0].steps.n, 3);
  EXPECT_NEAR(points[0].steps.mean, 6.5 / 3, 1e-12);
  EXPECT_NEAR(*errorOf(points[0]), 0.1, 1e-12);
  EXPECT_EQ(points[2].split_size, 8);
  EXPECT_FALSE(points[2].measured || points[2].predicted || errorOf(points[2]));
}

TEST(SweepPoints, WhatWasOnlyPredictedIsAPointToo) {
  const SweepPoint point = sweepPoints(sweepRun())[1];
  EXPECT_EQ(point.split_size, 4);
  EXPECT_EQ(point.micro_batches, 2);
  EXPECT_EQ(point.predicted, 1.5);
  EXPECT_FALSE(point.measured);
}

TEST(SweepPoints, AVariantOfAnotherKindIsNoPoint) {
  RunRecord record = sweepRun();
  record.predictions.clear();
  record.experiment.variants[1].schedule = ScheduleKind::Gpipe;
  EXPECT_EQ(sweepPoints(record).size(), 1u);
  record.experiment.variants = test::smallExperiment().variants;
  EXPECT_TRUE(sweepPoints(record).empty());
}

/// Split sizes 1, 2, 4 ... with these predictions and measurements; a 0 is none.
std::vector<SweepPoint> curve(const std::vector<std::pair<double, double>>& predicted_and_measured) {
  std::vector<SweepPoint> points;
  int split = 1;
  for (const auto& [predicted, measured] : predicted_and_measured) {
    SweepPoint point{"Split " + std::to_string(split), split, 8 / split, std::nullopt, std::nullopt, {}};
    if (predicted > 0) point.predicted = predicted;
    if (measured > 0) point.measured = measured;
    point.steps.n = measured > 0 ? 5 : 0;
    points.push_back(point);
    split *= 2;
  }
  return points;
}

TEST(SweepErrors, AreWithoutSignOverThePointsThatHaveBoth) {
  const auto errors = errorsOf(curve({{9, 10}, {1, 0}, {4.2, 4}, {3.3, 3}}));
  ASSERT_TRUE(errors);
  EXPECT_EQ(errors->points, 3);
  EXPECT_NEAR(errors->median, 0.1, 1e-12);
  EXPECT_NEAR(errors->worst, 0.1, 1e-12);
  EXPECT_FALSE(errorsOf(curve({{1, 0}, {0, 1}})));
  EXPECT_EQ(errorsOf(curve({{9.9, 10}, {4.2, 4}}))->worst_split_size, 2);
}

TEST(BestPredicted, AreTheLeastFirst) {
  const auto points = curve({{3, 0}, {1, 0}, {0, 1}, {2, 0}});
  EXPECT_THAT(bestPredicted(points, 2), ElementsAre(2, 8));
  EXPECT_THAT(bestPredicted(points, 9), ElementsAre(2, 8, 1));
}

/// A point of split size `split` whose repeats had these median steps.
SweepPoint measuredPoint(int split, double predicted, std::vector<double> steps) {
  SweepPoint point{"Split " + std::to_string(split), split, 8 / split, std::nullopt, std::nullopt, {}};
  if (predicted > 0) point.predicted = predicted;
  if (steps.empty()) return point;
  point.steps = summarise(steps);
  point.measured = point.steps.median;
  point.times = logTimesOf(steps);
  return point;
}

TEST(AdviceSentence, CallsASizeFastestOnlyWithAnInterval) {
  struct Case {
    std::vector<SweepPoint> points;
    const char* says;
    int advised;  ///< 0: none
  };
  const std::vector<double> two = {2, 2.01, 1.99}, half_more = {2.5, 2.51, 2.49}, near = {2.02, 1.98, 2.03};
  for (const Case& c : std::vector<Case>{
           {{measuredPoint(1, 3, {}), measuredPoint(2, 2, {})},
            "Micro-batch size 2 should be the fastest: 2 s per step, predicted; nothing was measured.",
            2},
           {{measuredPoint(1, 3, half_more), measuredPoint(2, 2.2, two)},
            "Micro-batch size 2 is the fastest measured: 2 s per step (median, n = 3), 1.25x faster than 1, the next "
            "(95 "
            "% CI 1.24 to 1.26x; 3 repeats each), predicted 2.2 s (+10.0 %).",
            2},
           {{measuredPoint(1, 1.5, half_more), measuredPoint(2, 2, two), measuredPoint(4, 4, near)},
            "No clear difference between micro-batch sizes 2 and 4: 2 s to 2.02 s per step (medians, n = 3).",
            0},
           {{measuredPoint(1, 0, {2.5, 2.5}), measuredPoint(2, 0, {1, 1})},
            "No clear difference between micro-batch sizes 1 and 2: 1 s to 2.5 s per step (medians, n = 2; an interval "
            "needs 3 repeats).",
            0},
           {{measuredPoint(1, 1.9, two), measuredPoint(2, 1.8, {})},
            "Micro-batch size 1 takes 2 s per step (median, n = 3), predicted 1.9 s (-5.0 %); no other size was "
            "measured. "
            "Predicted fastest was 2: 1.8 s, not measured.",
            1},
           {{}, "Nothing was predicted or measured yet.", 0}}) {
    EXPECT_EQ(adviceSentence(c.points).message, c.says);
    const SweepPoint* const advised = advisedPoint(c.points);
    EXPECT_EQ(advised ? advised->split_size : 0, c.advised);
  }
}

TEST(ErrorSentence, NamesTheWorst) {
  EXPECT_EQ(errorSentence(curve({{9.9, 10}, {4.2, 4}, {3, 3}})).message,
            "Predictions are off by 1.0 % (median) and 5.0 % at most (micro-batch size 2), over 3 measured micro-batch "
            "sizes.");
  EXPECT_EQ(errorSentence(curve({{1, 0}})).message, "");
}

TEST(SweepTable, HasALineAPointAndOneUnit) {
  EXPECT_EQ(sweepTable(curve({{2, 2.5}, {1, 0}})),
            "split size  micro-batches  predicted step (s)  measured (s, n = 5)  std (s)    error\n"
            "         1              8                2.00                 2.50     0.00  -20.0 %\n"
            "         2              4                1.00                    -        -        -\n");
  auto ranged = curve({{2, 0}, {0.5, 0}});
  ranged[1].range = ForecastRange{0.4, 0.6};
  EXPECT_EQ(sweepTable(ranged),
            "split size  micro-batches  predicted step (ms)  90 % range (ms)  measured (ms)  std (ms)  error\n"
            "         1              8                 2000                -              -         -      -\n"
            "         2              4                  500       400 to 600              -         -      -\n");
}

TEST(SweepCsv, HasARowAPointAndLeavesOutWhatIsNotKnown) {
  EXPECT_EQ(sweepCsv(curve({{2.5, 2}, {1, 0}, {0, 0}})),
            "split_size,micro_batches,predicted_step_s,measured_step_s,n,mean_s,std_s,ci95_low_s,ci95_high_s,error\r\n"
            "1,8,2.5,2,5,0,0,,,0.25\r\n"
            "2,4,1,,0,,,,,\r\n"
            "4,2,,,0,,,,,\r\n");
}

TEST(RunRecord, KeepsWhatWasPredicted) {
  const auto read = parseRunRecord(toJson(sweepRun()), "here");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->predictions.size(), 2u);
  EXPECT_EQ(read->predictions[0].variant, "Split 4");
  EXPECT_EQ(read->predictions[0].split_size, 4);
  EXPECT_EQ(read->predictions[0].micro_batches, 2);
  EXPECT_EQ(read->predictions[1].step_seconds, 2.2);
}

}  // namespace
}  // namespace lanelab
