// SPDX-License-Identifier: GPL-3.0-only
// What screen readers hear of charts: sentences with the figures that are drawn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/advise/sweep.h"
#include "tests/gui/charts/tiny_records.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/comparison_chart.h"
#include "ui/charts/cuts_picture.h"
#include "ui/charts/loss_chart.h"
#include "ui/charts/sweep_chart.h"

namespace lanelab {
namespace {

using ::testing::StartsWith;

constexpr double kNotFinite = std::numeric_limits<double>::quiet_NaN();

TEST(ChartWords, OfLossesHaveTheFirstAndTheLast) {
  const struct {
    std::vector<LossView::Curve> curves;
    const char* words;
  } rows[] = {
      {{}, ""},
      {{{"Single", {}}}, ""},
      {{{"Single", {2.31}}}, "Loss over 1 step: Single 2.31."},
      {{{"Single", {2.31, 1.0, 0.42}}, {"Pipeline", {2.31, 1.0, 0.44}}},
       "Loss over 3 steps: Single 2.31 to 0.42, Pipeline 2.31 to 0.44."},
      {{{"Single", {2.31, 1.0, 0.42}}, {"Pipeline", {2.31, 1.0}}},
       "Loss over 3 steps: Single 2.31 to 0.42, Pipeline 2.31 to 1 at step 2."},
      {{{"Single", {2.31, kNotFinite}}}, "Loss over 2 steps: Single 2.31 to no finite loss."},
  };
  for (const auto& [curves, words] : rows) EXPECT_EQ(lossWords(curves), words);
}

TEST(ChartWords, OfManyCurvesNameEightAndCountTheOthers) {
  std::vector<LossView::Curve> curves;
  for (int i = 0; i < 12; ++i) curves.push_back({QStringLiteral("V%1").arg(i), {2, 1}});
  EXPECT_TRUE(lossWords(curves).endsWith("V7 2 to 1 and 4 more.")) << lossWords(curves).toStdString();
}

TEST(ChartWords, OfAccuraciesSayTrainingOrValidation) {
  const EpochResult early{1.5, 0.25, 0.5, 0.75, 1}, late{1.0, 0.5, 0.4, 0.875, 3};
  const EpochResult untested{1.5, 0.25, std::nullopt, std::nullopt, 1};
  const struct {
    std::vector<LossView::Curve> curves;
    const char* words;
  } rows[] = {
      {{{"Single", {2, 1}}}, ""},
      {{{"Single", {2, 1}, {early, late}}}, "Accuracy over 2 epochs: Single 75.0 % to 87.5 % in validation."},
      {{{"Single", {2, 1}, {untested}}}, "Accuracy over 1 epoch: Single 25.0 % to 25.0 % in training."},
  };
  for (const auto& [curves, words] : rows) EXPECT_EQ(accuracyWords(curves), words);
}

TEST(ChartWords, OfAComparisonHaveEachMeanAndItsSpread) {
  const RunRecord record = test::twoVariants();
  const QString words = comparisonWords(comparisonRows(record, Spread::Ci95), Spread::Ci95);
  EXPECT_THAT(words.toStdString(), StartsWith("Mean time per repeat: Single (baseline) 2.00 s, 95 % CI 1.98 to 2.02; "
                                              "Pipeline 1.16 s, 95 % CI 0.996 to 1.33."));
  EXPECT_TRUE(comparisonWords(comparisonRows(record, Spread::Std), Spread::Std).contains("one standard deviation"));
  EXPECT_EQ(comparisonWords({}, Spread::Ci95), QString());
}

TEST(ChartWords, OfASweepHaveEachSizeMeasuredAndPredicted) {
  std::vector<SweepPoint> points(2);
  points[0].split_size = 4;
  points[0].predicted = 0.9;
  points[0].measured = 1.0;
  points[1].split_size = 8;
  points[1].predicted = 2.0;
  EXPECT_EQ(sweepWords(points),
            "Step time of 2 micro-batch sizes from 4 to 8: 4 1 s measured, 900 ms predicted; 8 2 s predicted.");
  EXPECT_EQ(sweepWords({}), QString());
}

TEST(ChartWords, OfCutsSayTheirTimesAndWhereTheyCut) {
  const Picture picture = cutsPicture({{"measured time", "layer3.0", 0.1, 0.05, true},
                                       {"MACs", "layer2.0", 0.11, 0.06, false},
                                       {"parameters", "", std::numeric_limits<double>::infinity(), 0, false}},
                                      "from 5 repeats");
  EXPECT_EQ(picture.words,
            "Predicted step: measured time 100 ms, cut before layer3.0; MACs 110 ms (+10 %), cut before layer2.0; "
            "parameters cannot run on these lanes, not cut.");
}

TEST(ChartWords, FollowWhatIsDrawn) {
  LossView view;
  const auto words = [&] { return view.findChild<ChartCanvas*>("lossChart")->accessibleDescription(); };
  EXPECT_EQ(words(), QString());
  view.setCurves({{"Single", {2.0, 1.0}}});
  EXPECT_EQ(words(), "Loss over 2 steps: Single 2 to 1.");
  view.setCurves({{"Single", {2.0, 1.0, 0.5}}});
  EXPECT_EQ(words(), "Loss over 3 steps: Single 2 to 0.5.");
}

}  // namespace
}  // namespace lanelab
