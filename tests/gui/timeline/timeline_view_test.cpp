// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QPainter>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/model/timeline_data.h"
#include "ui/timeline/view/timeline_picture.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using testworld::denseTrace;
using testworld::kMs;
using testworld::pipelineTrace;
using testworld::traceThatFailed;

/// Rows of the first lane: compute, blocks (hidden at first), transfers.
constexpr std::size_t kSecondLane = 3;

/// A shown view with a pipeline of two lanes and three steps, and where its rows lie.
class TimelineViewTest : public ::testing::Test {
 protected:
  void SetUp() override { give(pipelineTrace()); }

  void give(std::shared_ptr<const Trace> trace) {
    view.resize(1000, 300);
    view.setTrace(std::move(trace));
    view.show();
    view.setFocus();
    QApplication::processEvents();
  }

  TimelineLayout layout() const {
    return layOut(TimelineData(view.trace()), QRectF(0, 0, view.width(), view.height()), view.arrangement(), 0);
  }
  QPoint at(Nanoseconds time, std::size_t row) const {
    const TimelineLayout placed = layout();
    return QPoint(static_cast<int>(std::lround(placed.scale(view.visibleRange()).x(time))),
                  static_cast<int>(placed.boxOf(row)->rect.center().y()));
  }
  QPoint middleOf(const Span& span, std::size_t row) const { return at(span.start + span.range().length() / 2, row); }
  Span action(std::size_t position) const { return view.trace()->tracks[1].spans[position]; }

  void wheel(QPoint where, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(QPointF(where), view.mapToGlobal(QPointF(where)), QPoint(), QPoint(0, delta), Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &event);
  }
  void move(QPoint where, Qt::MouseButtons buttons = Qt::NoButton) {
    QMouseEvent event(QEvent::MouseMove, QPointF(where), view.mapToGlobal(QPointF(where)), Qt::NoButton, buttons,
                      Qt::NoModifier);
    QApplication::sendEvent(&view, &event);
  }
  void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(&view, button, Qt::NoModifier, from);
    move((from + to) / 2, button);
    move(to, button);
    QTest::mouseRelease(&view, button, Qt::NoModifier, to);
  }
  int pixelsOf(const QColor& color) {
    const QImage image = view.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == color.rgb();
    }
    return count;
  }

  TimelineView view;
};

TEST_F(TimelineViewTest, ShowsTheWholeTraceFirst) {
  EXPECT_LE(view.visibleRange().start, view.trace()->range().start);
  EXPECT_GE(view.visibleRange().end, view.trace()->range().end);
}

TEST_F(TimelineViewTest, ThePointersMarksAreRepaintedWithoutATrace) {
  const auto onScreen = [&] {
    QApplication::processEvents();
    return view.screen()->grabWindow(view.winId()).toImage().convertToFormat(QImage::Format_RGB32);
  };
  const QImage before = onScreen();
  const auto anew = [&] { return view.grab().toImage().convertToFormat(QImage::Format_RGB32); };
  ASSERT_EQ(before, anew());
  for (const QPoint& place : {middleOf(action(0), 0), middleOf(action(7), 0), at(action(3).end, kSecondLane),
                              QPoint(500, 5), middleOf(action(12), 0)}) {
    move(place);
    EXPECT_EQ(onScreen(), anew()) << place.x() << ", " << place.y();
  }
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf(action(2), 0));
  move(middleOf(action(14), 0));
  EXPECT_EQ(onScreen(), anew()) << "with another span that was clicked";
  QTest::keyClick(&view, Qt::Key_W);
  move(middleOf(action(9), 0));
  EXPECT_EQ(onScreen(), anew()) << "after a zoom";
  QTest::keyClick(&view, Qt::Key_Escape);
  view.fit();
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&view, &leave);
  EXPECT_EQ(onScreen(), before) << "nothing stays behind";
}

TEST_F(TimelineViewTest, TheWheelZoomsAtThePointer) {
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

TEST_F(TimelineViewTest, ShiftAndTheWheelPan) {
  view.setVisibleRange({1100 * kMs, 1200 * kMs});
  wheel(QPoint(500, 100), -120, Qt::ShiftModifier);
  EXPECT_EQ(view.visibleRange().length(), 100 * kMs);
  EXPECT_GT(view.visibleRange().start, 1100 * kMs);
}

TEST_F(TimelineViewTest, DraggingSelectsAndEnterZoomsToIt) {
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

TEST_F(TimelineViewTest, EscapeInTheMiddleOfADragKeepsTheOldSelection) {
  view.setSelection(TimeRange{1010 * kMs, 1020 * kMs});
  QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, at(1100 * kMs, 0));
  move(at(1200 * kMs, 0), Qt::LeftButton);
  EXPECT_NE(view.selection(), (TimeRange{1010 * kMs, 1020 * kMs}));
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_EQ(view.selection(), (TimeRange{1010 * kMs, 1020 * kMs}));
}

TEST_F(TimelineViewTest, AClickWithoutADragClearsTheSelection) {
  view.setSelection(TimeRange{1010 * kMs, 1020 * kMs});
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at(1100 * kMs, 0));
  EXPECT_FALSE(view.selection().has_value());
}

TEST_F(TimelineViewTest, TheMiddleButtonAndSpaceDragPan) {
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

TEST_F(TimelineViewTest, KeysZoomPanFitAndStep) {
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

TEST_F(TimelineViewTest, DotAndCommaWalkTheSpansAndTellThem) {
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

TEST_F(TimelineViewTest, HoverTellsLaneStageDurationAndWhatItWaitedFor) {
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

TEST_F(TimelineViewTest, ADoubleClickZoomsToTheSpan) {
  const Span span = action(7);
  QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf(span, 0));
  EXPECT_LT(view.visibleRange().start, span.start);
  EXPECT_GT(view.visibleRange().end, span.end);
  EXPECT_LE(view.visibleRange().length(), 2 * span.range().length() + 2);
}

TEST_F(TimelineViewTest, FollowingEndsWhenAPersonZooms) {
  view.setFollow(true);
  const std::vector<StepWindow> steps = stepWindows(*view.trace());
  EXPECT_GE(view.visibleRange().end, steps.back().range.end);
  wheel(QPoint(500, 100), 120);
  EXPECT_FALSE(view.follows());
  const TimeRange seen = view.visibleRange();
  view.setTrace(pipelineTrace({.steps = 6}));
  EXPECT_EQ(view.visibleRange(), seen) << "a longer trace of the same run";
}

TEST_F(TimelineViewTest, FollowingMovesWithAGrowingTrace) {
  view.setFollow(true);
  view.setTrace(pipelineTrace({.steps = 12}));
  EXPECT_TRUE(view.follows());
  EXPECT_GE(view.visibleRange().end, view.trace()->range().end);
  EXPECT_GT(view.visibleRange().start, view.trace()->range().start);
}

TEST_F(TimelineViewTest, AnotherTraceIsSeenWholeAndTheSelectionGoes) {
  view.setVisibleRange({1100 * kMs, 1200 * kMs});
  view.setSelection(TimeRange{1100 * kMs, 1110 * kMs});
  view.setTrace(denseTrace(100, kMs, kMs / 2));
  EXPECT_FALSE(view.selection().has_value());
  EXPECT_LE(view.visibleRange().start, 0);
  EXPECT_GE(view.visibleRange().end, view.trace()->range().end);
}

TEST_F(TimelineViewTest, WithoutATraceItSaysWhatWillBeHereAndKeysDoNothing) {
  view.setTrace(nullptr);
  EXPECT_GT(pixelsOf(look::current().muted_text), 50) << "a sentence is drawn";
  for (const Qt::Key key : {Qt::Key_W, Qt::Key_F, Qt::Key_Period, Qt::Key_Return, Qt::Key_Backspace, Qt::Key_Escape})
    QTest::keyClick(&view, key);
  view.nextStep();
  view.fit();
  wheel(QPoint(500, 100), 120);
  drag(QPoint(300, 100), QPoint(400, 100));
  EXPECT_TRUE(view.visibleRange().empty());
  EXPECT_FALSE(view.selection().has_value());
  EXPECT_FALSE(view.picture().paint);
}

TEST_F(TimelineViewTest, ATraceWithLanesButNoSpansIsEmptyToo) {
  TraceBuilder builder("Nothing yet", {{"lane 0", "cpu:0"}});
  view.setTrace(builder.snapshot());
  EXPECT_GT(pixelsOf(look::current().muted_text), 50);
}

TEST_F(TimelineViewTest, SpansHaveTheirColoursAndIdleTimeIsHatched) {
  const look::Palette& palette = look::current();
  view.setVisibleRange(stepWindows(*view.trace())[0].range);
  EXPECT_GT(pixelsOf(palette.forward), 2000);
  EXPECT_GT(pixelsOf(palette.backward), 2000);
  EXPECT_GT(pixelsOf(palette.update), 200);
  EXPECT_GT(pixelsOf(palette.transfer), 50);
  const QImage image = view.grab().toImage();
  const QPoint idle = at(view.trace()->range().start + 4 * kMs, kSecondLane);
  int hatched = 0;
  for (int x = idle.x() - 10; x < idle.x() + 10; ++x)
    hatched += image.pixelColor(x, idle.y()) != palette.idle_background;
  EXPECT_GE(hatched, 2) << "lane 1 waits for its first input";
  EXPECT_LE(hatched, 12);
}

TEST_F(TimelineViewTest, BetweenStepsNothingIsHatched) {
  const std::vector<StepWindow> steps = stepWindows(*view.trace());
  view.setVisibleRange({steps[0].range.end - 10 * kMs, steps[1].range.start + 10 * kMs});
  const QImage image = view.grab().toImage();
  const QPoint between = at((steps[0].range.end + steps[1].range.start) / 2, 0);
  for (int x = between.x() - 8; x < between.x() + 8; ++x) {
    const QColor color = image.pixelColor(x, between.y());
    EXPECT_TRUE(color == look::current().surface || color == look::current().grid) << x;
  }
}

TEST_F(TimelineViewTest, DetailsAddRowsOfBlocks) {
  const QColor block = look::current().span(Category::Block, Phase::Forward);
  EXPECT_EQ(pixelsOf(block), 0);
  view.setShowDetails(true);
  EXPECT_TRUE(view.showsDetails());
  EXPECT_GT(pixelsOf(block), 500);
}

TEST_F(TimelineViewTest, TheKeyboardFocusIsSeen) {
  EXPECT_GT(pixelsOf(look::current().accent), 1000);
  view.clearFocus();
  EXPECT_EQ(pixelsOf(look::current().accent), 0);
}

TEST_F(TimelineViewTest, ManyLanesScrollAndTheBarForTimeShowsWhenZoomed) {
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

TEST_F(TimelineViewTest, TheTimeBarPans) {
  view.setVisibleRange({1000 * kMs, 1100 * kMs});
  auto* time = view.findChild<QScrollBar*>(QStringLiteral("timelineTimeBar"));
  time->setValue(time->maximum());
  EXPECT_EQ(view.visibleRange().length(), 100 * kMs);
  EXPECT_NEAR(static_cast<double>(view.visibleRange().end), static_cast<double>(view.trace()->range().end), 1e7);
}

TEST_F(TimelineViewTest, AHundredThousandSpansArePaintedWithIdleTimeVisible) {
  give(denseTrace(25'000, 10'000, 7000, 4));
  ASSERT_EQ(view.trace()->spanCount(), 100'000U);
  const look::Palette& palette = look::current();
  EXPECT_GT(pixelsOf(palette.forward) + pixelsOf(palette.backward), 10'000);
  EXPECT_GT(pixelsOf(palette.idle_background), 1000) << "30 % idle shows as the part above the columns";
  const TimeRange all = view.visibleRange();
  for (int zoom = 1; zoom < 2'000'000; zoom *= 8) {
    view.setVisibleRange({all.start, all.start + all.length() / zoom});
    EXPECT_FALSE(view.grab().isNull());
  }
}

TEST_F(TimelineViewTest, ThePictureSaysWhatItShows) {
  view.setVisibleRange(stepWindows(*view.trace())[1].range);
  const Picture picture = view.picture();
  EXPECT_EQ(picture.title, QStringLiteral("Pipeline"));
  for (const char* part : {"Measured", "2 lanes", "step 2", "lane 0 85 %"}) {
    EXPECT_TRUE(picture.caption.contains(QString::fromUtf8(part))) << picture.caption.toStdString();
  }
  EXPECT_FALSE(render(picture, look::printPalette()).isNull());
  EXPECT_TRUE(timelinePicture(denseTrace(10, kMs, kMs / 2)).caption.startsWith(QStringLiteral("Predicted, 1 lane")));
  EXPECT_FALSE(timelinePicture(nullptr).paint);
}

TEST_F(TimelineViewTest, AnSvgOfTheTimelineIsLinesAndTextInsideItsPage) {
  view.setVisibleRange({1050 * kMs, 1150 * kMs});
  const QString svg = svgElement(view.picture());
  EXPECT_FALSE(svg.contains(QStringLiteral("<image")));
  for (const char* text : {">F3<", ">B1<", ">lane 0<", ">step 1<", ">F forward<"})
    EXPECT_TRUE(svg.contains(QString::fromUtf8(text))) << text;
}

TEST_F(TimelineViewTest, AStepCutOffAtTheEdgeIsNamedOnlyWhereItsNameHasRoom) {
  const auto steps = stepWindows(*view.trace());
  view.setVisibleRange({steps[0].range.end - kMs, steps[1].range.end});
  const QString cut = svgElement(view.picture());
  EXPECT_FALSE(cut.contains(QStringLiteral(">step 1<"))) << "it would lie in the bracket of step 2";
  EXPECT_TRUE(cut.contains(QStringLiteral(">step 2<")));
}

TEST_F(TimelineViewTest, TheActionThatFailedIsFlaggedAndTellsTheError) {
  give(traceThatFailed());
  view.setFailure(QStringLiteral("Lane 1 (cpu:1), stage 1, micro-batch 2, backward: the disk of dreams is full"));
  const look::Palette& palette = look::current();
  EXPECT_GT(pixelsOf(palette.error), 50);
  EXPECT_TRUE(svgElement(view.picture()).contains(QStringLiteral(">1B2 failed<")));
  QSignalSpy told(&view, &TimelineView::hoverChanged);
  view.setFocus();
  for (int i = 0; i < 3; ++i) QTest::keyClick(&view, Qt::Key_Period);
  ASSERT_FALSE(told.isEmpty());
  const QString sentence = told.last().first().toString();
  EXPECT_TRUE(sentence.startsWith(QStringLiteral("Backward of micro-batch 2 failed"))) << sentence.toStdString();
  EXPECT_TRUE(sentence.contains(QStringLiteral("disk of dreams"))) << sentence.toStdString();
}

TEST_F(TimelineViewTest, TheFailedActionCountsNeitherAsBusyNorAsIdleMore) {
  const TimelineData data(traceThatFailed());
  ASSERT_EQ(data.failures().size(), 1U);
  EXPECT_EQ(data.busyWithin(0, {0, 100 * kMs}), 20 * kMs);
}

TEST_F(TimelineViewTest, TheSameTraceGivesTheSamePixels) {
  const Picture picture = timelinePicture(pipelineTrace());
  EXPECT_EQ(render(picture, look::lightPalette()), render(picture, look::lightPalette()));
  EXPECT_NE(render(picture, look::lightPalette()), render(picture, look::darkPalette()));
}

TEST_F(TimelineViewTest, TheStatusLineIsEmptyOnceItsSpanIsGone) {
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

/// The same trace with its names interned in another order, as a file may have them.
std::shared_ptr<const Trace> withOtherNames(const Trace& trace) {
  auto other = std::make_shared<Trace>(trace);
  std::reverse(other->names.begin(), other->names.end());
  const auto last = static_cast<std::uint32_t>(trace.names.size() - 1);
  for (Track& track : other->tracks) {
    std::vector<Span> spans = track.spans.toVector();
    for (Span& span : spans) span.name = last - span.name;
    track.spans = spans;
  }
  return other;
}

TEST_F(TimelineViewTest, LabelsStayTrueWhereTheSameNamesComeInAnotherOrder) {
  view.showRows(RowKind::Blocks, true);
  view.setVisibleRange({1000 * kMs, 1030 * kMs});
  QApplication::processEvents();
  const QImage before = view.grab().toImage();
  view.setTrace(withOtherNames(*view.trace()));
  QApplication::processEvents();
  EXPECT_EQ(view.grab().toImage(), before);
}

TEST_F(TimelineViewTest, TheBoxGivesWayToADialog) {
  move(middleOf(action(2), 0));
  const QImage hovered = view.grab().toImage();
  QEvent deactivate(QEvent::WindowDeactivate);
  QApplication::sendEvent(&view, &deactivate);
  const QImage without = view.grab().toImage();
  EXPECT_NE(without, hovered);
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf(action(2), 0));
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&view, &leave);
  const QImage behind = view.grab().toImage();
  QEvent activate(QEvent::WindowActivate);
  QApplication::sendEvent(&view, &activate);
  EXPECT_NE(view.grab().toImage(), behind) << "back in front the current span has its box again";
}

TEST(BoxOfFacts, LiesBelowOrAboveTheLaneBeforeItHidesASpan) {
  const QRectF area(0, 0, 1000, 400);
  const QRectF lane(0, 50, 1000, 60), low(0, 300, 1000, 60), high(0, 150, 1000, 180), span(400, 60, 50, 40);
  const QSizeF size(200, 120);
  EXPECT_GE(placedClear(lane, span, 420, size, area).top(), lane.bottom());
  EXPECT_LE(placedClear(low, span.translated(0, 250), 420, size, area).bottom(), low.top());
  const QRectF beside = placedClear(high, span.translated(0, 120), 420, QSizeF(200, 160), area);
  EXPECT_LE(beside.right(), span.left()) << "what follows the span stays in sight";
  EXPECT_TRUE(area.contains(beside));
  EXPECT_GE(placedClear(high, QRectF(20, 180, 50, 40), 30, QSizeF(200, 160), area).left(), 70);
}

TEST_F(TimelineViewTest, ASpanOfARunThatGoesOnStaysCurrent) {
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
  EXPECT_TRUE(status.contains(QStringLiteral("Running for: 50 ms"))) << status.toStdString();
  view.setTrace(growing(80 * kMs));
  EXPECT_TRUE(status.contains(QStringLiteral("Running for: 80 ms"))) << status.toStdString();
}

TEST_F(TimelineViewTest, ARunningActionIsLighterAndOpenAtItsEnd) {
  auto trace = std::make_shared<Trace>(*pipelineTrace({.lanes = 2, .steps = 1, .micro_batches = 2, .blocks = false}));
  std::erase_if(trace->tracks, [](const Track& track) { return track.kind == Track::Kind::Step; });
  const auto compute =
      std::ranges::find_if(trace->tracks, [](const Track& track) { return track.kind == Track::Kind::Compute; });
  const Span last = compute->spans.back();
  const QColor lighter = runningColor(look::current(), look::current().update);
  give(trace);
  EXPECT_EQ(pixelsOf(lighter), 0);
  trace = std::make_shared<Trace>(*trace);
  trace->live = {{0, last.end, last.start}};
  view.setTrace(trace);
  EXPECT_GT(pixelsOf(lighter), 100);
  const QImage image = view.grab().toImage();
  const QPoint end = at(last.end, 0);
  EXPECT_EQ(image.pixel(end.x() - 1, end.y() + 8), lighter.rgb()) << "no line closes it";
}

}  // namespace
}  // namespace lanelab
