// SPDX-License-Identifier: GPL-3.0-only
// The split-size curve as a person sees it: the sentence, the line, the points and their bars, on the screen and in the
// exported picture.
#include <gtest/gtest.h>

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/gui/charts/tiny_records.h"
#include "ui/charts/sweep_chart.h"
#include "ui/charts/sweep_view.h"

namespace lanelab {
namespace {

/// Split sizes 1 to 16 are predicted; 4 and 8 were measured five times.
RunRecord sweepRecord() {
  RunRecord record;
  record.id = "tiny-sweep";
  record.status = RunStatus::Done;
  record.experiment.name = "tiny";
  record.experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  for (const int split : {4, 8}) {
    VariantConfig config;
    config.name = "Split " + std::to_string(split);
    config.strategy = Strategy::Pipeline;
    config.split_size = split;
    record.experiment.variants.push_back(config);
    VariantRecord variant = test::variantOf(config.name, {2.0, 2.1, 1.9, 2.05, 1.95});
    for (RepeatRecord& repeat : variant.repeats) repeat.step_seconds = {repeat.seconds * split / 8};
    variant.strategy = Strategy::Pipeline;
    variant.split_size = split;
    variant.micro_batches = 32 / split;
    record.variants.push_back(variant);
  }
  record.predictions = {{"Split 1", 1, 32, 3},
                        {"Split 2", 2, 16, 1.5},
                        {"Split 4", 4, 8, 0.9},
                        {"Split 8", 8, 4, 2.0},
                        {"Split 16", 16, 2, 4}};
  const Status status = refreshStatistics(record);
  (void)status;
  return record;
}

TEST(SweepView, BeforeAnySweepItAsksTheQuestionThatItAnswers) {
  SweepView view;
  view.show();
  EXPECT_TRUE(view.findChild<QLabel*>("sweepAdvice")->text().startsWith("Find the fastest micro-batch size"));
  EXPECT_FALSE(view.findChild<QWidget*>("sweepChart")->isVisible());
  EXPECT_FALSE(view.findChild<QPushButton*>("useSplitSize")->isVisible());
  EXPECT_FALSE(view.hasCurve());
}

TEST(SweepView, ARunWithoutSplitSizesHasNoCurve) {
  SweepView view;
  view.setRun(test::shared(test::twoVariants()));
  EXPECT_FALSE(view.hasCurve());
}

TEST(SweepView, VariantsOfOneSizeAreNoSweep) {
  RunRecord record = sweepRecord();
  record.predictions.clear();
  for (int i : {0, 1}) {
    record.experiment.variants[static_cast<std::size_t>(i)].split_size = 4;
    record.variants[static_cast<std::size_t>(i)].split_size = 4;
  }
  SweepView view;
  view.setRun(test::shared(record));
  EXPECT_FALSE(view.hasCurve()) << view.findChild<QLabel*>("sweepAdvice")->text().toStdString();
}

TEST(SweepView, TheAdviceSaysPredictedAndMeasuredAndCanBeTaken) {
  SweepView view;
  view.setRun(test::shared(sweepRecord()));
  view.show();
  EXPECT_TRUE(view.hasCurve());
  EXPECT_EQ(
      view.findChild<QLabel*>("sweepAdvice")->text(),
      "Micro-batch size 4 is the fastest measured: 1 s per step (median, n = 5), 2.00x faster than 8, the next (95 % "
      "CI 1.89 to 2.12x; 5 repeats each), predicted 900 ms (-10.0 %).");
  EXPECT_TRUE(view.findChild<QLabel*>("sweepCaption")
                  ->text()
                  .contains("5.0 % (median) and 10.0 % at most (micro-batch size 4)"))
      << view.findChild<QLabel*>("sweepCaption")->text().toStdString();
  auto* use = view.findChild<QPushButton*>("useSplitSize");
  EXPECT_EQ(use->text(), "Use 4");
  QSignalSpy chosen(&view, &SweepView::splitSizeChosen);
  use->click();
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen.front().front().toInt(), 4);
}

TEST(SweepView, TheButtonsAskAndRestWhileARunGoes) {
  SweepView view;
  QSignalSpy advice(&view, &SweepView::adviceRequested), sweep(&view, &SweepView::sweepRequested);
  view.findChild<QPushButton*>("adviseButton")->click();
  view.findChild<QPushButton*>("sweepButton")->click();
  view.setCanAsk(false);
  view.findChild<QPushButton*>("adviseButton")->click();
  EXPECT_EQ(advice.count(), 1);
  EXPECT_EQ(sweep.count(), 1);
}

TEST(SweepChart, BarsAreTheIntervalOrOneStandardDeviationOrNone) {
  SweepPoint point;
  point.steps.n = 1;
  EXPECT_FALSE(whiskerOf(point));
  point.steps.n = 3;
  point.steps.mean = 2;
  point.steps.std = 0.5;
  EXPECT_DOUBLE_EQ(whiskerOf(point)->low, 1.5);
  point.steps.ci95 = Interval{1.8, 2.2};
  EXPECT_DOUBLE_EQ(whiskerOf(point)->high, 2.2);
}

QRgb pixelOf(const QColor& color) { return color.rgb(); }

/// Pixels of a colour between two heights of the picture, as shares.
int count(const QImage& image, const QColor& color, double top, double bottom) {
  int found = 0;
  for (int y = static_cast<int>(top * image.height()); y < static_cast<int>(bottom * image.height()); ++y)
    for (int x = 0; x < image.width(); ++x)
      found += (image.pixel(x, y) | 0xff000000u) == (pixelOf(color) | 0xff000000u);
  return found;
}

TEST(SweepChart, ThePictureHasTheLineAndThePointsOfWhatWasMeasured) {
  const Picture picture = sweepPicture(sweepRecord());
  QImage image(picture.size.toSize(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  picture.paint(painter, QRectF(QPointF(0, 0), picture.size), look::printPalette());
  painter.end();
  const auto& palette = look::printPalette();
  EXPECT_GT(count(image, palette.series(0), 0.15, 1), 200) << "the predicted line";
  EXPECT_GT(count(image, palette.series(1), 0.15, 1), 20) << "two measured points";
  // Both points lie in the lower half: the axis begins at 0 and the highest prediction is twice the higher of them. The
  // legend is above 0.2.
  EXPECT_EQ(count(image, palette.series(1), 0.2, 0.4), 0);
  EXPECT_TRUE(picture.title.contains("Micro-batch size 4"));
}

}  // namespace
}  // namespace lanelab
