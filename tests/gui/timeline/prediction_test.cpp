// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QApplication>
#include <QTest>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using testworld::kMs;

/// Forward 8 ms and update 4 ms on lane 0 only, in a step of 20 ms that begins at 500 ms.
std::shared_ptr<const Trace> smallPrediction() {
  TraceBuilder builder("Pipeline", {{"lane 0", "cpu:0"}, {"lane 1", "cpu:1"}}, Origin::Predicted);
  const auto add = [&](TrackIndex track, Category category, Phase phase, Nanoseconds start, Nanoseconds end) {
    Span span;
    span.name = builder.intern("any");
    span.category = category;
    span.phase = phase;
    span.start = 500 * kMs + start;
    span.end = 500 * kMs + end;
    span.step = 0;
    span.stage = 0;
    span.micro_batch = 0;
    builder.append(track, span);
  };
  const TrackIndex compute = builder.addTrack(0, Track::Kind::Compute, "compute");
  add(compute, Category::Action, Phase::Update, 16 * kMs, 20 * kMs);
  add(compute, Category::Action, Phase::Forward, 0, 8 * kMs);
  add(builder.addTrack(0, Track::Kind::Step, "steps"), Category::Step, Phase::None, 0, 20 * kMs);
  return builder.snapshot();
}

TEST(Prediction, CountsFromTheStepsStart) {
  const Prediction prediction(*smallPrediction());
  EXPECT_EQ(prediction.stepLength(), 20 * kMs);
  ASSERT_EQ(prediction.ofLane(0).size(), 2u);
  EXPECT_EQ(prediction.ofLane(0)[0].range, (TimeRange{0, 8 * kMs}));
  EXPECT_EQ(prediction.ofLane(0)[1].phase, Phase::Update);
  EXPECT_TRUE(prediction.ofLane(1).empty());
}

TEST(Prediction, FindsTheSameActionInEveryStepAndOnlyThat) {
  const auto predicted = smallPrediction();
  const TimelineData data(testworld::pipelineTrace(), predicted.get());
  int found = 0;
  for (std::size_t row = 0; row < data.rows().size(); ++row) {
    for (std::size_t i = 0; i < data.rows()[row].spans.size(); ++i) {
      const auto expected = data.expectedLength({row, i});
      if (!expected) continue;
      ++found;
      const Span span = data.span({row, i});
      EXPECT_EQ(*expected, span.phase == Phase::Forward ? 8 * kMs : 4 * kMs);
      EXPECT_EQ(span.micro_batch, 0);
      EXPECT_EQ(data.rows()[row].lane, 0);
    }
  }
  EXPECT_EQ(found, 2 * 3);  // forward of micro-batch 0 and update, in three steps
}

TEST(Prediction, TheFactsOfAnActionSayHowFarOffItWas) {
  const auto predicted = smallPrediction();
  const TimelineData data(testworld::pipelineTrace(), predicted.get());
  EXPECT_TRUE(spanSentence(data, {0, 0}).contains(QStringLiteral("Predicted: 8.00 ms; 25 % longer than predicted")))
      << spanSentence(data, {0, 0}).toStdString();
  EXPECT_FALSE(spanSentence(data, {0, 1}).contains(QStringLiteral("Predicted")))
      << spanSentence(data, {0, 1}).toStdString();
}

TEST(Prediction, IsHiddenAtFirstAndNeverPaintedIntoTheActionsRow) {
  TimelineView view;
  view.resize(1000, 300);
  view.setTrace(testworld::pipelineTrace());
  view.show();
  QApplication::processEvents();
  const auto rows = [&] {
    QApplication::processEvents();
    return view.grab(QRect(0, 0, view.width(), view.height() - 30)).toImage();
  };
  const QImage plain = rows();
  view.setPrediction(smallPrediction());
  EXPECT_EQ(rows(), plain) << "but for its entry in the legend";
  view.showRows(RowKind::Predicted, true);
  EXPECT_NE(rows(), plain);
  const auto predicted = smallPrediction();
  const TimelineData data(view.trace(), predicted.get());
  const TimelineLayout placed = layOut(data, QRectF(0, 0, 1000, 300), view.arrangement(), 0);
  ASSERT_EQ(placed.predicted.size(), 1U) << "lane 1 was not predicted";
  EXPECT_EQ(placed.predicted[0].lane, 0);
  EXPECT_GE(placed.predicted[0].rect.top(), placed.boxOf(0)->rect.bottom());
}

TEST(Prediction, ItsLegendEntryShowsAndHidesIt) {
  TimelineView view;
  view.resize(1000, 300);
  view.setTrace(testworld::pipelineTrace());
  view.setPrediction(smallPrediction());
  view.show();
  QApplication::processEvents();
  const auto predicted = smallPrediction();
  const TimelineData data(view.trace(), predicted.get());
  const auto entry = [&] {
    const TimelineLayout placed = layOut(data, QRectF(0, 0, 1000, 300), view.arrangement(), 0);
    for (const LegendEntry& one : placedLegend(legendEntries(data, view.arrangement()), placed))
      if (one.rows == RowKind::Predicted) return one;
    return LegendEntry();
  };
  ASSERT_EQ(entry().text, QStringLiteral("predicted"));
  EXPECT_FALSE(entry().shown);
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, entry().mark.center().toPoint());
  EXPECT_TRUE(entry().shown);
  EXPECT_TRUE(view.arrangement().shows(RowKind::Predicted));
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, entry().rect.center().toPoint());
  EXPECT_FALSE(view.arrangement().shows(RowKind::Predicted));
}

TEST(Prediction, IsDrawnAndNamedUntilAnotherTraceComes) {
  TimelineView view;
  view.resize(1000, 300);
  view.setTrace(testworld::pipelineTrace());
  view.showRows(RowKind::Predicted, true);
  view.show();
  QApplication::processEvents();
  const QImage plain = view.grab().toImage();
  view.setPrediction(smallPrediction());
  QApplication::processEvents();
  EXPECT_NE(view.grab().toImage(), plain);
  EXPECT_TRUE(view.picture().caption.contains(QStringLiteral("predicted, 20.0 ms per step")));
  view.setPrediction(nullptr);
  QApplication::processEvents();
  EXPECT_EQ(view.grab().toImage(), plain);
  view.setPrediction(smallPrediction());
  view.setTrace(testworld::denseTrace(10, kMs, kMs / 2));
  EXPECT_FALSE(view.picture().caption.contains(QStringLiteral("predicted, 20.0 ms per step")));
}

}  // namespace
}  // namespace lanelab
