// SPDX-License-Identifier: GPL-3.0-only
// Two runs on one axis, the difference of each cell, and bookmarks on the ruler.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "tests/gui/timeline/shown_view.h"
#include "ui/timeline/layout/action_difference.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/model/found_spans.h"

namespace lanelab {
namespace {

using testworld::kMs;
using testworld::PipelineShape;
using testworld::pipelineTrace;

/// The pipeline, and the same with every update half as long again, at another time.
std::shared_ptr<const AlignedRuns> twoRuns() {
  PipelineShape shape;
  shape.start = 77'000 * kMs;
  auto slower = std::make_shared<Trace>(*pipelineTrace(shape));
  for (Track& track : slower->tracks) {
    auto spans = track.spans;
    track.spans = {};
    for (Span span : spans) {
      if (span.category == Category::Action && span.phase == Phase::Update) span.end += span.range().length() / 2;
      track.spans.push_back(span);
    }
  }
  return std::make_shared<const AlignedRuns>(alignRuns(*pipelineTrace(), *slower));
}

std::shared_ptr<const TimelineData> dataOf(const std::shared_ptr<const AlignedRuns>& aligned) {
  return std::make_shared<const TimelineData>(aligned->trace, nullptr, nullptr, aligned);
}

SpanRef found(const std::shared_ptr<const TimelineData>& data, const char* typed) {
  return FoundSpans(data, QString::fromLatin1(typed)).refOf(0).value();
}

TEST(TwoRuns, LieUnderEachOtherAndKeepApart) {
  const auto data = dataOf(twoRuns());
  ASSERT_EQ(data->trace().lanes.size(), 4U);
  EXPECT_EQ(data->laneName(0), QStringLiteral("A: lane 0"));
  EXPECT_EQ(data->laneName(1), QStringLiteral("B: lane 0"));
  EXPECT_TRUE(data->sameRun(0, 2));
  EXPECT_FALSE(data->sameRun(0, 1));
  const SpanRef taker = found(data, "1F2 lane 3");
  const auto producer = data->producerOf(taker);
  ASSERT_TRUE(producer);
  EXPECT_EQ(data->rows()[producer->row].lane, 1);
  EXPECT_NEAR(data->busyShare(0).value(), TimelineData(pipelineTrace()).busyShare(0).value(), 1e-9);
  EXPECT_FALSE(data->causesOf(0).empty());
}

/// In per cent, of the first step.
double bubbleAt(const TimelineData& data, int lane, Nanoseconds time) {
  for (const CounterRow& row : data.counters())
    if (row.lane() == lane && row.name() == QStringLiteral("bubble")) return row.at(time).value_or(-1);
  return -1;
}

TEST(TwoRuns, KeepTheBubbleOfTheirOwnSteps) {
  const auto shorter = pipelineTrace({.micro_batches = 2});
  const auto runs = std::make_shared<const AlignedRuns>(alignRuns(*pipelineTrace(), *shorter));
  const TimelineData data(runs->trace, nullptr, nullptr, runs);
  const TimelineData alone(shorter);
  EXPECT_GT(bubbleAt(alone, 0, 1010 * kMs), 0);
  EXPECT_NEAR(bubbleAt(data, 1, 1010 * kMs), bubbleAt(alone, 0, 1010 * kMs), 1e-9) << "B's first lane";
  EXPECT_NEAR(bubbleAt(data, 0, 1010 * kMs), bubbleAt(TimelineData(pipelineTrace()), 0, 1010 * kMs), 1e-9) << "A's";
}

TEST(TwoRuns, TheBoxTellsBothLengthsAndTheDifference) {
  const auto data = dataOf(twoRuns());
  const QString sentence = spanSentence(*data, found(data, "0U lane 1"));
  EXPECT_TRUE(sentence.contains(QStringLiteral("In A: 4.00 ms"))) << sentence.toStdString();
  EXPECT_TRUE(sentence.contains(QStringLiteral("In B: 6.00 ms (+2.00 ms; +50 %)"))) << sentence.toStdString();
  const QString same = spanSentence(*data, found(data, "0F0 lane 0"));
  EXPECT_TRUE(same.contains(QStringLiteral("(the same; 0 %)"))) << same.toStdString();
}

TEST(Differences, AreOfTheSecondRunOrOfWhatWasPredicted) {
  const auto two = dataOf(twoRuns());
  EXPECT_TRUE(hasDifferences(*two));
  EXPECT_FALSE(differenceOf(*two, found(two, "0U lane 0")));
  EXPECT_NEAR(differenceOf(*two, found(two, "0U lane 1")).value(), 0.5, 1e-9);
  EXPECT_NEAR(differenceOf(*two, found(two, "0F0 lane 1")).value(), 0, 1e-9);
  const auto alone = std::make_shared<const TimelineData>(pipelineTrace());
  EXPECT_FALSE(hasDifferences(*alone));
  const auto predicted = std::make_shared<const TimelineData>(pipelineTrace(), pipelineTrace().get());
  EXPECT_TRUE(hasDifferences(*predicted));
  EXPECT_NEAR(differenceOf(*predicted, found(predicted, "0F3 step 1")).value(), 0, 1e-9);
  EXPECT_NE(differenceOf(*predicted, found(predicted, "0F3 step 2")).value(), 0);
}

TEST(Differences, AreSpelledWithTheirSign) {
  const std::vector<std::pair<double, QString>> cases = {
      {0, QStringLiteral("0 %")},         {0.0004, QStringLiteral("0 %")},
      {0.0123, QStringLiteral("+1.2 %")}, {-0.0123, QStringLiteral("\u22121.2 %")},
      {0.124, QStringLiteral("+12 %")},   {1.5, QStringLiteral("+150 %")},
      {0.0996, QStringLiteral("+10 %")}};
  for (const auto& [difference, text] : cases) EXPECT_EQ(differenceText(difference), text);
}

TEST(Differences, TintOnlyWhereThereIsSomethingToCompareWith) {
  testworld::ShownView shown;
  TimelineView& view = shown.view;
  const QImage plain = view.grab().toImage();
  view.setShowDifferences(true);
  EXPECT_EQ(view.grab().toImage(), plain);
  view.setAligned(twoRuns());
  const QImage tinted = view.grab().toImage();
  const QImage page = render(view.picture(), look::printPalette());
  view.setShowDifferences(false);
  EXPECT_NE(view.grab().toImage(), tinted);
  EXPECT_NE(render(view.picture(), look::printPalette()), page);
}

TEST(BookmarkBands, ADoubleClickZoomsToOne) {
  testworld::ShownView shown;
  TimelineView& view = shown.view;
  const QImage without = view.grab().toImage();
  const TimeRange kept{1040 * kMs, 1090 * kMs};
  view.setBookmarks({{QStringLiteral("wide"), view.trace()->range()}, {QStringLiteral("narrow"), kept}});
  EXPECT_NE(view.grab().toImage(), without);
  const TimelineLayout placed = view.viewport().layout();
  const double x = placed.scale(view.visibleRange()).x(1060 * kMs);
  QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier,
                     QPoint(static_cast<int>(x), static_cast<int>(placed.ruler.top()) + 6));
  EXPECT_EQ(view.visibleRange(), kept);
  EXPECT_EQ(view.selection(), kept);
}

}  // namespace
}  // namespace lanelab
