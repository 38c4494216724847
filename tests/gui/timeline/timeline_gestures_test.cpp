// SPDX-License-Identifier: GPL-3.0-only
// What mouse, wheel and keys do to a timeline, and what it tells of the span under them.
#include <QScrollBar>
#include <QSignalSpy>

#include "tests/gui/timeline/timeline_view_world.h"

namespace lanelab {
namespace {

using testworld::denseTrace;
using testworld::kMs;
using testworld::kSecondLane;
using testworld::pipelineTrace;
using TimelineGestures = testworld::TimelineViewTest;

TEST_F(TimelineGestures, ShowsTheWholeTraceFirst) {
  EXPECT_LE(view.visibleRange().start, view.trace()->range().start);
  EXPECT_GE(view.visibleRange().end, view.trace()->range().end);
}

TEST_F(TimelineGestures, TheWheelZoomsAtThePointer) {
  const QPoint pointer = at(view.trace()->range().start + 100 * kMs, 0);
  const TimeRange before = view.visibleRange();
  const Nanoseconds under = layout().scale(before).time(pointer.x());
  wheel(pointer, 120);
  const TimeRange after = view.visibleRange();
  EXPECT_LT(after.length(), before.length());
  EXPECT_NEAR(layout().scale(after).x(under), pointer.x(), 1.0) << "what is under the pointer stays there";
  wheel(pointer, -120);
  EXPECT_GT(view.visibleRange().length(), after.length());
}

TEST_F(TimelineGestures, ShiftAndTheWheelPan) {
  view.setVisibleRange({1100 * kMs, 1200 * kMs});
  wheel(QPoint(500, 100), -120, Qt::ShiftModifier);
  EXPECT_EQ(view.visibleRange().length(), 100 * kMs);
  EXPECT_GT(view.visibleRange().start, 1100 * kMs);
}

TEST_F(TimelineGestures, TheWheelScrollsWhereTheSettingSaysSo) {
  give(pipelineTrace({.lanes = 24}));
  view.setWheel(look::WheelUse::Scrolls);
  const TimeRange before = view.visibleRange();
  wheel(QPoint(500, 80), -120);
  EXPECT_EQ(view.visibleRange(), before);
  EXPECT_GT(view.viewport().scroll(), 0);
  wheel(QPoint(500, 80), 120, Qt::ControlModifier);
  EXPECT_LT(view.visibleRange().length(), before.length());
}

TEST_F(TimelineGestures, TwoFingersMoveWhatIsSeenAsFarAsTheyGo) {
  view.setVisibleRange({1100 * kMs, 1200 * kMs});
  const Nanoseconds time = 1150 * kMs;
  const QPoint before = at(time, 0);
  swipe(before, {-40, 0});
  EXPECT_NEAR(at(time, 0).x(), before.x() - 40, 1);
  EXPECT_EQ(view.visibleRange().length(), 100 * kMs);
}

TEST_F(TimelineGestures, DraggingSelectsAndEnterZoomsToIt) {
  QSignalSpy changed(&view, &TimelineView::selectionChanged);
  const TimeRange whole = view.visibleRange();
  drag(at(1100 * kMs, 0), at(1200 * kMs, 0));
  ASSERT_TRUE(view.selection().has_value());
  EXPECT_NEAR(static_cast<double>(view.selection()->start), 1100e6, 1.5e6);
  EXPECT_NEAR(static_cast<double>(view.selection()->end), 1200e6, 1.5e6);
  EXPECT_GE(changed.count(), 1);
  QTest::keyClick(&view, Qt::Key_Return);
  EXPECT_EQ(view.visibleRange(), *view.selection());
  QTest::keyClick(&view, Qt::Key_Backspace);
  EXPECT_EQ(view.visibleRange(), whole);
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_FALSE(view.selection().has_value());
}

TEST_F(TimelineGestures, EscapeInTheMiddleOfADragKeepsTheOldSelection) {
  view.setSelection(TimeRange{1010 * kMs, 1020 * kMs});
  QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, at(1100 * kMs, 0));
  move(at(1200 * kMs, 0), Qt::LeftButton);
  EXPECT_NE(view.selection(), (TimeRange{1010 * kMs, 1020 * kMs}));
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_EQ(view.selection(), (TimeRange{1010 * kMs, 1020 * kMs}));
}

TEST_F(TimelineGestures, AClickWithoutADragClearsTheSelection) {
  view.setSelection(TimeRange{1010 * kMs, 1020 * kMs});
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at(1100 * kMs, 0));
  EXPECT_FALSE(view.selection().has_value());
}

TEST_F(TimelineGestures, TheMiddleButtonAndSpaceDragPan) {
  const TimeRange start{1100 * kMs, 1200 * kMs};
  view.setVisibleRange(start);
  drag(QPoint(600, 100), QPoint(500, 100), Qt::MiddleButton);
  const Nanoseconds moved = view.visibleRange().start - start.start;
  EXPECT_NEAR(static_cast<double>(moved), 100 * layout().scale(start).nanosecondsPerPixel(), 1e6);
  EXPECT_EQ(view.visibleRange().length(), start.length());
  view.setVisibleRange(start);
  QTest::keyPress(&view, Qt::Key_Space);
  drag(QPoint(600, 100), QPoint(500, 100));
  QTest::keyRelease(&view, Qt::Key_Space);
  EXPECT_EQ(view.visibleRange().start - start.start, moved);
  EXPECT_FALSE(view.selection().has_value());
}

TEST_F(TimelineGestures, KeysZoomPanFitAndStep) {
  const TimeRange whole = view.visibleRange();
  const struct {
    int key;
    Qt::KeyboardModifiers modifiers;
    int longer;  ///< sign of the change in length
    int later;   ///< sign of the change of the middle
  } kRows[] = {{Qt::Key_W, Qt::NoModifier, -1, 0},    {Qt::Key_S, Qt::NoModifier, +1, 0},
               {Qt::Key_Plus, Qt::NoModifier, -1, 0}, {Qt::Key_Minus, Qt::NoModifier, +1, 0},
               {Qt::Key_A, Qt::NoModifier, 0, -1},    {Qt::Key_D, Qt::NoModifier, 0, +1},
               {Qt::Key_Left, Qt::NoModifier, 0, -1}, {Qt::Key_Right, Qt::NoModifier, 0, +1}};
  for (const auto& row : kRows) {
    view.setVisibleRange({1300 * kMs, 1400 * kMs});
    QTest::keyClick(&view, static_cast<Qt::Key>(row.key), row.modifiers);
    const TimeRange seen = view.visibleRange();
    const auto sign = [](Nanoseconds value) { return std::abs(value) < 10 ? 0 : value > 0 ? 1 : -1; };
    EXPECT_EQ(sign(seen.length() - 100 * kMs), row.longer) << row.key;
    EXPECT_EQ(sign((seen.start + seen.end) / 2 - 1350 * kMs), row.later) << row.key;
  }
  for (const Qt::Key key : {Qt::Key_Home, Qt::Key_F}) {
    view.setVisibleRange({1300 * kMs, 1400 * kMs});
    QTest::keyClick(&view, key);
    EXPECT_EQ(view.visibleRange(), whole);
  }
  const std::vector<StepWindow> steps = stepWindows(*view.trace());
  QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
  QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
  EXPECT_LE(view.visibleRange().start, steps[1].range.start);
  EXPECT_GT(view.visibleRange().start, steps[0].range.end - 10 * kMs);
  QTest::keyClick(&view, Qt::Key_Left, Qt::ControlModifier);
  EXPECT_LE(view.visibleRange().start, steps[0].range.start);
  EXPECT_LT(view.visibleRange().end, steps[1].range.end);
}

TEST_F(TimelineGestures, DotAndCommaWalkTheSpansAndTellThem) {
  QSignalSpy told(&view, &TimelineView::hoverChanged);
  QTest::keyClick(&view, Qt::Key_Period);
  ASSERT_FALSE(told.isEmpty());
  EXPECT_TRUE(told.last().at(0).toString().startsWith(QStringLiteral("Forward, micro-batch 0")))
      << told.last().at(0).toString().toStdString();
  QTest::keyClick(&view, Qt::Key_Period);
  EXPECT_TRUE(told.last().at(0).toString().startsWith(QStringLiteral("Forward, micro-batch 1")));
  EXPECT_EQ(view.accessibleDescription(), told.last().at(0).toString());
  QTest::keyClick(&view, Qt::Key_Comma);
  EXPECT_TRUE(told.last().at(0).toString().startsWith(QStringLiteral("Forward, micro-batch 0")));
  QTest::keyClick(&view, Qt::Key_Down);
  EXPECT_TRUE(told.last().at(0).toString().contains(QStringLiteral("lane 1")))
      << told.last().at(0).toString().toStdString();
  QTest::keyClick(&view, Qt::Key_Enter);
  EXPECT_LT(view.visibleRange().length(), 40 * kMs) << "Enter zooms to the span";
}

TEST_F(TimelineGestures, HoverTellsLaneStageDurationAndWhatItWaitedFor) {
  QSignalSpy told(&view, &TimelineView::hoverChanged);
  view.setVisibleRange(stepWindows(*view.trace())[0].range);
  const Trace& trace = *view.trace();
  const Track& second = trace.tracks[4];
  ASSERT_EQ(second.lane, 1);
  move(middleOf(second.spans[0], kSecondLane));
  ASSERT_EQ(told.count(), 1);
  const QString sentence = told.last().at(0).toString();
  for (const char* part : {"Forward, micro-batch 0", "lane 1 (cpu:1)", "Stage: 1", "Step: 1", "Duration: 10.3 ms",
                           "needed F0 of stage 0 (lane 0)"}) {
    EXPECT_TRUE(sentence.contains(QString::fromUtf8(part))) << part << " is not in: " << sentence.toStdString();
  }
  move(QPoint(20, 20));
  EXPECT_EQ(told.last().at(0).toString(), QString());
}

TEST_F(TimelineGestures, ADoubleClickZoomsToTheSpan) {
  const Span span = action(7);
  QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf(span, 0));
  EXPECT_LT(view.visibleRange().start, span.start);
  EXPECT_GT(view.visibleRange().end, span.end);
  EXPECT_LE(view.visibleRange().length(), 2 * span.range().length() + 2);
}

TEST_F(TimelineGestures, FollowingEndsWhenAPersonZooms) {
  view.setFollow(true);
  const std::vector<StepWindow> steps = stepWindows(*view.trace());
  EXPECT_GE(view.visibleRange().end, steps.back().range.end);
  wheel(QPoint(500, 100), 120);
  EXPECT_FALSE(view.follows());
  const TimeRange seen = view.visibleRange();
  view.setTrace(pipelineTrace({.steps = 6}));
  EXPECT_EQ(view.visibleRange(), seen) << "a longer trace of the same run";
}

TEST_F(TimelineGestures, FollowingMovesWithAGrowingTrace) {
  view.setFollow(true);
  view.setTrace(pipelineTrace({.steps = 12}));
  EXPECT_TRUE(view.follows());
  EXPECT_GE(view.visibleRange().end, view.trace()->range().end);
  EXPECT_GT(view.visibleRange().start, view.trace()->range().start);
}

TEST_F(TimelineGestures, AnotherTraceIsSeenWholeAndTheSelectionGoes) {
  view.setVisibleRange({1100 * kMs, 1200 * kMs});
  view.setSelection(TimeRange{1100 * kMs, 1110 * kMs});
  view.setTrace(denseTrace(100, kMs, kMs / 2));
  EXPECT_FALSE(view.selection().has_value());
  EXPECT_LE(view.visibleRange().start, 0);
  EXPECT_GE(view.visibleRange().end, view.trace()->range().end);
}

TEST_F(TimelineGestures, ManyLanesScrollAndTheBarForTimeShowsWhenZoomed) {
  const auto* lanes = view.findChild<QScrollBar*>(QStringLiteral("timelineLanesBar"));
  const auto* time = view.findChild<QScrollBar*>(QStringLiteral("timelineTimeBar"));
  EXPECT_TRUE(lanes->isHidden());
  EXPECT_TRUE(time->isHidden());
  give(pipelineTrace({.lanes = 16, .steps = 1}));
  EXPECT_FALSE(lanes->isHidden());
  EXPECT_GT(lanes->maximum(), 0);
  view.setVisibleRange({1000 * kMs, 1100 * kMs});
  EXPECT_FALSE(time->isHidden());
}

TEST_F(TimelineGestures, TheTimeBarPans) {
  view.setVisibleRange({1000 * kMs, 1100 * kMs});
  auto* time = view.findChild<QScrollBar*>(QStringLiteral("timelineTimeBar"));
  time->setValue(time->maximum());
  EXPECT_EQ(view.visibleRange().length(), 100 * kMs);
  EXPECT_NEAR(static_cast<double>(view.visibleRange().end), static_cast<double>(view.trace()->range().end), 1e7);
}

TEST_F(TimelineGestures, TheStatusLineIsEmptyOnceItsSpanIsGone) {
  QString status;
  QObject::connect(&view, &TimelineView::hoverChanged, [&](const QString& sentence) { status = sentence; });
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf(action(2), 0));
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&view, &leave);
  EXPECT_FALSE(status.isEmpty()) << "the span that was clicked is told on";
  view.setTrace(denseTrace(10, kMs, kMs / 2));
  EXPECT_EQ(status, QString()) << "of another trace nothing is pointed at";
  give(pipelineTrace());
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf(action(2), 0));
  QApplication::sendEvent(&view, &leave);
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_EQ(status, QString()) << "nor after Esc";
}

TEST_F(TimelineGestures, ASpanOfARunThatGoesOnStaysCurrent) {
  const auto growing = [](Nanoseconds now) {
    auto trace = std::make_shared<Trace>();
    trace->title = "Pipeline";
    trace->epoch = 5;
    trace->lanes = {{"cpu:0", "cpu:0"}};
    trace->names = {"0F0"};
    Span action;
    action.start = 10;
    action.end = now;
    action.category = Category::Action;
    action.phase = Phase::Forward;
    action.step = action.stage = action.micro_batch = 0;
    trace->tracks = {{0, Track::Kind::Compute, "compute", {action}}};
    trace->live = {{0, now, 10}};
    return trace;
  };
  give(growing(50 * kMs));
  QString status;
  QObject::connect(&view, &TimelineView::hoverChanged, [&](const QString& sentence) { status = sentence; });
  QTest::keyClick(&view, Qt::Key_Period);
  EXPECT_TRUE(status.contains(QStringLiteral("Running for: 50.0 ms"))) << status.toStdString();
  view.setTrace(growing(80 * kMs));
  EXPECT_TRUE(status.contains(QStringLiteral("Running for: 80.0 ms"))) << status.toStdString();
}

}  // namespace
}  // namespace lanelab
