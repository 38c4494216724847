// SPDX-License-Identifier: GPL-3.0-only
// The charts of loss and accuracy, with their table and exported picture.
#include "ui/charts/loss_chart.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QGraphicsScene>
#include <QLabel>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QPainter>
#include <limits>

#include "ui/look/theme.h"

namespace lanelab {
namespace {

TEST(LossChart, TheLegendShowsTheDashesOfEachLine) {
  for (const look::Palette* palette : {&look::lightPalette(), &look::darkPalette()}) {
    const auto chart = makeLossChart({{"Single", {2.0, 1.0}}, {"Model parallel", {2.0, 1.0}}}, *palette);
    EXPECT_EQ(chart->legend()->markerShape(), QLegend::MarkerShapeFromSeries);
    const auto many = makeLossChart({{"a", {1}}, {"b", {1}}, {"c", {1}}, {"d", {1}}}, *palette);
    for (QAbstractSeries* of : many->series().mid(1)) {
      const QPen pen = static_cast<QLineSeries*>(of)->pen();
      EXPECT_LE((pen.dashPattern().front() - pen.dashOffset()) * pen.widthF(), 14) << "the length of the legend's line";
    }
    const double first = look::luminance(palette->series(0)), second = look::luminance(palette->series(1));
    EXPECT_GT((std::max(first, second) + 0.05) / (std::min(first, second) + 0.05), 1.4);
  }
}

TEST(Loss, CurvesGoIntoPictureAndTable) {
  LossView view;
  view.setCurves({{"Single", {2.0, 1.0}}, {"Pipeline", {2.0, 1.5}}});
  EXPECT_EQ(view.csv(), "variant,step,loss\r\nSingle,0,2\r\nSingle,1,1\r\nPipeline,0,2\r\nPipeline,1,1.5\r\n");
  EXPECT_TRUE(view.picture().caption.contains("measured"));
}

TEST(Loss, CurvesThatCoincideCanAllBeSeen) {
  std::vector<double> losses;
  for (int i = 0; i < 60; ++i) losses.push_back(1.0 / (1 + i));
  LossView view;
  view.setCurves({{"Single", losses}, {"Model parallel", losses}, {"Pipeline", losses}});
  const Picture picture = view.picture();
  QImage image((picture.size).toSize(), QImage::Format_RGB32);
  image.fill(Qt::white);
  QPainter painter(&image);
  picture.paint(painter, QRectF(QPointF(0, 0), picture.size), look::printPalette());
  painter.end();
  for (int variant = 0; variant < 3; ++variant) {
    const QRgb ink = look::printPalette().series(variant).rgb();
    int count = 0;
    for (int y = image.height() / 5; y < image.height(); ++y)  // below the legend
      for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == ink;
    EXPECT_GT(count, 60) << "line " << variant;
  }
}

TEST(Loss, AccuracyByEpochStandsBesideItAndInTheTable) {
  LossView view;
  view.resize(900, 300);
  view.show();
  auto* accuracy = view.findChild<QWidget*>("accuracyChart");
  view.setCurves({{"Single", {2.0, 1.0}}});
  EXPECT_FALSE(accuracy->isVisible());
  view.setCurves({{"Single", {2.0, 1.0, 0.5}, {{1.5, 0.25, 0.5, 0.75, 1}}}});
  EXPECT_TRUE(accuracy->isVisible());
  EXPECT_EQ(view.csv(),
            "variant,step,loss,epoch,accuracy,validation_accuracy\r\nSingle,0,2,,,\r\nSingle,1,1,0,0.25,0."
            "75\r\nSingle,2,0.5,,,\r\n");
  EXPECT_TRUE(view.picture().caption.contains("validation"));
}

TEST(Loss, TheAccuracyChartNamesEachVariantOnceAndItsLinesAtTheAxis) {
  QGraphicsScene scene;  // a chart outside one has no visible items
  QChart* const chart = makeAccuracyChart({{"Single", {1.0}, {{1.5, 0.25, 0.5, 0.75, 1}}},
                                           {"Pipeline", {1.0}, {{1.5, 0.25, 0.5, 0.5, 1}}}},
                                          look::current())
                            .release();
  scene.addItem(chart);
  chart->resize(400, 200);
  QCoreApplication::processEvents();
  EXPECT_EQ(chart->series().size(), 4);
  QStringList named;
  for (const QLegendMarker* marker : chart->legend()->markers())
    if (marker->isVisible()) named.append(marker->label());
  EXPECT_EQ(named, QStringList({"Single", "Pipeline"}));
  EXPECT_TRUE(chart->axes(Qt::Horizontal).front()->titleText().contains("dashed: training"));
  const auto trained = makeAccuracyChart({{"Single", {1.0}, {{1.5, 0.25, 0.5, {}, 1}}}}, look::current());
  EXPECT_EQ(trained->series().size(), 1);
  EXPECT_EQ(trained->axes(Qt::Horizontal).front()->titleText().toLower(), "epoch");
}

TEST(Loss, NothingIsDrawnBeforeTheFirstStep) {
  LossView view;
  view.setCurves({{"Single", {}}});
  view.show();
  EXPECT_TRUE(view.findChild<QLabel*>("lossEmpty")->isVisible());
}

TEST(Loss, InfinitiesDoNotBreakTheAxes) {
  LossView view;
  view.setCurves({{"Single", {1.0, std::numeric_limits<double>::infinity(), 2.0}}});
  view.resize(400, 300);
  view.show();
  EXPECT_FALSE(view.grab().isNull());
}

}  // namespace
}  // namespace lanelab
