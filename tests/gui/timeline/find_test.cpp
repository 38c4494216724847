// SPDX-License-Identifier: GPL-3.0-only
// Finding in a timeline: what is found and in which order, how the view goes there, and the strip with its keys.
#include <gtest/gtest.h>

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/model/found_spans.h"
#include "ui/timeline/view/find_strip.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using testworld::denseTrace;
using testworld::kMs;
using testworld::PipelineShape;
using testworld::pipelineTrace;

std::shared_ptr<const TimelineData> dataOf(std::shared_ptr<const Trace> trace) {
  return std::make_shared<const TimelineData>(std::move(trace));
}

TimeRange rangeOf(const FoundSpans& found, std::size_t place) {
  return found.data().span(found.refOf(place).value()).range();
}

TEST(FoundSpans, GoRoundInOrderOfTime) {
  const FoundSpans found(dataOf(pipelineTrace()), QStringLiteral("F3"));
  ASSERT_EQ(found.count(), 6U);  // two stages, three steps
  for (std::size_t place = 0; place < found.count(); ++place) {
    const SpanRef ref = found.refOf(place).value();
    EXPECT_EQ(found.placeOf(ref), place);
    EXPECT_EQ(found.next(ref, 0, +1), (place + 1) % 6);
    EXPECT_EQ(found.next(ref, 0, -1), (place + 5) % 6);
    EXPECT_EQ(found.next({}, rangeOf(found, place).start, +1), place);
    EXPECT_EQ(found.next({}, rangeOf(found, place).start + 1, -1), place);
    EXPECT_TRUE(place == 0 || rangeOf(found, place - 1).start <= rangeOf(found, place).start);
  }
  EXPECT_EQ(found.next({}, found.data().range().end, +1), 0U);
  EXPECT_EQ(found.next({}, found.data().range().start, -1), 5U);
}

TEST(FoundSpans, EachRowHoldsItsOwn) {
  const auto data = dataOf(pipelineTrace());
  for (const char* const typed : {"F3", "layer2.1", "mb 2", "transfer", "stage 1", "layer"}) {
    const FoundSpans found(data, QString::fromLatin1(typed));
    std::size_t rows = 0;
    for (std::size_t row = 0; row < data->rows().size(); ++row) {
      for (const std::uint32_t position : found.ofRow(row)) EXPECT_TRUE(found.placeOf({row, position})) << typed;
      rows += found.ofRow(row).size();
    }
    EXPECT_EQ(rows, found.count()) << typed;
    EXPECT_GT(rows, 0U) << typed;
  }
}

class FindTest : public ::testing::Test {
 protected:
  void SetUp() override { give(pipelineTrace()); }
  void give(std::shared_ptr<const Trace> trace) {
    view.resize(1000, 300);
    strip.resize(1000, 32);
    view.setTrace(std::move(trace));
    view.show();
    QApplication::processEvents();
  }
  QLineEdit* field() { return strip.findChild<QLineEdit*>(QStringLiteral("findField")); }
  QString count() { return strip.findChild<QLabel*>(QStringLiteral("findCount"))->text(); }
  QImage image() { return view.grab().toImage(); }

  TimelineView view;
  FindStrip strip{&view};
};

TEST_F(FindTest, TheStripCountsAndGoesToTheNextAndThePreviousOne) {
  strip.open();
  QTest::keyClicks(field(), "1F3");
  EXPECT_EQ(count(), "3 found");
  QTest::keyClick(field(), Qt::Key_Return);
  EXPECT_EQ(count(), "1 of 3");
  QTest::keyClick(field(), Qt::Key_Return);
  EXPECT_EQ(count(), "2 of 3");
  QTest::keyClick(field(), Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_EQ(count(), "1 of 3");
  QTest::keyClick(field(), Qt::Key_Return, Qt::ShiftModifier);
  EXPECT_EQ(count(), "3 of 3");  // from the first round to the last
  strip.findChild<QToolButton*>(QStringLiteral("findNextButton"))->click();
  EXPECT_EQ(count(), "1 of 3");
  field()->setText(QStringLiteral("nowhere"));
  EXPECT_EQ(count(), "none");
  EXPECT_FALSE(strip.findChild<QToolButton*>(QStringLiteral("findNextButton"))->isEnabled());
  field()->clear();
  EXPECT_EQ(count(), "");
}

TEST_F(FindTest, NoBoxCoversWhatIsFoundWhileTheStripIsOpen) {
  EXPECT_TRUE(view.showsBoxes());
  strip.open();
  EXPECT_FALSE(view.showsBoxes());
  QTest::keyClick(field(), Qt::Key_Escape);
  EXPECT_TRUE(view.showsBoxes());
}

TEST_F(FindTest, EscClosesTheStripAndTakesTheOutlinesAway) {
  const QImage before = image();
  strip.open();
  QTest::keyClicks(field(), "B2");
  EXPECT_NE(image(), before);
  QTest::keyClick(field(), Qt::Key_Escape);
  EXPECT_FALSE(strip.isVisibleTo(nullptr));
  EXPECT_TRUE(view.search().isEmpty());
  EXPECT_EQ(view.searchState().count, 0U);
}

TEST_F(FindTest, ASlashOnTheTimelineAsksForTheStrip) {
  QSignalSpy asked(&view, &TimelineView::findRequested);
  QTest::keyClick(&view, Qt::Key_Slash);
  EXPECT_EQ(asked.count(), 1);
}

TEST_F(FindTest, AMatchOutOfViewIsPannedTo) {
  view.setVisibleRange({1000 * kMs, 1080 * kMs});
  view.setSearch(QStringLiteral("0B4 step 2"));
  view.findNext();
  const TimeRange seen = view.visibleRange();
  const FoundSpans found(dataOf(view.trace()), QStringLiteral("0B4 step 2"));
  EXPECT_LE(seen.start, rangeOf(found, 0).start);
  EXPECT_GE(seen.end, rangeOf(found, 0).end);
  EXPECT_EQ(seen.length(), 80 * kMs);
  EXPECT_EQ(view.searchState().place, 0U);
}

TEST_F(FindTest, ASpeckIsZoomedToAndAGiantIsZoomedOutOf) {
  give(denseTrace(50'000, 1000, 600));
  view.setSearch(QStringLiteral("mb 7"));
  view.findNext();
  const double width = 900, pixels = 600 * width / static_cast<double>(view.visibleRange().length());
  EXPECT_GT(pixels, 12);
  EXPECT_LT(pixels, width / 2);
  view.setVisibleRange({100, 200});
  view.setSearch(QStringLiteral("mb 0"));
  view.findPrevious();
  EXPECT_GT(view.visibleRange().length(), 600);
}

TEST_F(FindTest, AMatchInAHiddenRowShowsThatRow) {
  QSignalSpy shown(&view, &TimelineView::arrangementChanged);
  ASSERT_FALSE(view.arrangement().shows(RowKind::Blocks));
  view.setSearch(QStringLiteral("layer2.1"));
  view.findNext();
  EXPECT_TRUE(view.arrangement().shows(RowKind::Blocks));
  EXPECT_EQ(shown.count(), 1);
}

TEST_F(FindTest, AMatchBelowTheFoldIsScrolledTo) {
  PipelineShape shape;
  shape.lanes = 12;
  shape.steps = 1;
  give(pipelineTrace(shape));
  view.setSearch(QStringLiteral("11B2"));
  view.findNext();
  const TimelineData data(view.trace());
  const auto* bar = view.findChild<QScrollBar*>(QStringLiteral("timelineLanesBar"));
  ASSERT_TRUE(bar);
  EXPECT_GT(bar->value(), 0);
}

TEST_F(FindTest, LongTracesAreSearchedOffTheWindowsThread) {
  give(denseTrace(300'000, 100, 60));
  QSignalSpy changed(&view, &TimelineView::searchChanged);
  view.setSearch(QStringLiteral("mb 31"));
  EXPECT_TRUE(view.searchState().searching);
  view.setSearch(QStringLiteral("mb 5"));  // the first one is given up
  EXPECT_TRUE(QTest::qWaitFor([&] { return !view.searchState().searching; }, 20'000));
  EXPECT_EQ(view.searchState().count, 300'000U / 32);
  view.findNext();
  EXPECT_EQ(view.searchState().place, 0U);
}

TEST_F(FindTest, WhatIsLookedForIsFoundInTheNextTraceToo) {
  view.setSearch(QStringLiteral("0U"));
  EXPECT_EQ(view.searchState().count, 3U);
  PipelineShape longer;
  longer.steps = 5;
  view.setTrace(pipelineTrace(longer));
  EXPECT_EQ(view.searchState().count, 5U);
  view.setTrace(nullptr);
  EXPECT_EQ(view.searchState().count, 0U);
  view.findNext();
}

}  // namespace
}  // namespace lanelab
