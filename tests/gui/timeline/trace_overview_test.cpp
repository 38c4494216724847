// SPDX-License-Identifier: GPL-3.0-only
// The strip with all of a trace: where it is shown, what it shows, and what mouse and keys do in it.
#include "ui/timeline/view/trace_overview.h"

#include <QStyle>

#include "tests/gui/timeline/timeline_view_world.h"
#include "ui/timeline/paint/overview_picture.h"

namespace lanelab {
namespace {

using testworld::kMs;
using testworld::pipelineTrace;

class Overview : public testworld::TimelineViewTest {
 protected:
  void SetUp() override {
    TimelineViewTest::SetUp();
    strip = view.findChild<TraceOverview*>();
    ASSERT_TRUE(strip && strip->isVisible());
  }
  QPoint at(double x) const { return {static_cast<int>(std::lround(x)), strip->height() / 2}; }
  QPoint atTime(Nanoseconds time) const { return at(strip->windowNow().strip.x(time)); }
  void drag(QPoint from, QPoint to) {
    QTest::mousePress(strip, Qt::LeftButton, Qt::NoModifier, from);
    for (const QPoint& point : {(from + to) / 2, to}) {
      QMouseEvent moved(QEvent::MouseMove, QPointF(point), strip->mapToGlobal(QPointF(point)), Qt::NoButton,
                        Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(strip, &moved);
    }
    QTest::mouseRelease(strip, Qt::LeftButton, Qt::NoModifier, to);
  }
  /// Of the strip.
  Nanoseconds pixels(double count) const {
    return std::llround(count * strip->windowNow().strip.nanosecondsPerPixel());
  }

  TraceOverview* strip = nullptr;
};

TEST_F(Overview, IsShownWhereLanesDoNotNeedItsPlace) {
  const TimelineData data(view.trace());
  const int bar = view.style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  const int readable = static_cast<int>(std::ceil(readableHeight(data, view.arrangement()))) + bar;
  const struct {
    int height;
    bool shown;
  } kRows[] = {{readable, false},
               {readable + TraceOverview::kHeight - 1, false},
               {readable + TraceOverview::kHeight, true},
               {300, true}};
  for (const auto& row : kRows) {
    view.resize(1000, row.height);
    QApplication::processEvents();
    EXPECT_EQ(strip->isVisible(), row.shown) << row.height;
    EXPECT_EQ(view.viewport().area().top(), row.shown ? TraceOverview::kHeight : 0);
  }
}

TEST_F(Overview, OfManyLanesIsShownInAHighViewButNeverHidesALane) {
  give(pipelineTrace({.lanes = 40, .steps = 1, .micro_batches = 1}));
  const int bar = view.style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  const int least = static_cast<int>(std::ceil(leastHeight(TimelineData(view.trace()), view.arrangement()))) + bar;
  ASSERT_GT(least, 500);
  const struct {
    int height;
    bool shown;
  } kRows[] = {{400, false}, {least - 10, true}, {least, false}, {least + TraceOverview::kHeight, true}};
  for (const auto& row : kRows) {
    view.resize(1000, row.height);
    QApplication::processEvents();
    EXPECT_EQ(strip->isVisible(), row.shown) << row.height;
  }
}

TEST_F(Overview, IsHiddenWithTheRows) {
  view.showRows(RowKind::Overview, false);
  EXPECT_FALSE(strip->isVisible());
  EXPECT_EQ(view.viewport().area().top(), 0);
  view.showRows(RowKind::Overview, true);
  EXPECT_TRUE(strip->isVisible());
  view.setTrace(nullptr);
  EXPECT_FALSE(strip->isVisible());
}

TEST_F(Overview, AClickGoesThereAndBackspaceBack) {
  view.setVisibleRange({1050 * kMs, 1150 * kMs});
  QTest::mouseClick(strip, Qt::LeftButton, Qt::NoModifier, atTime(1400 * kMs));
  const TimeRange seen = view.visibleRange();
  EXPECT_EQ(seen.length(), 100 * kMs);
  EXPECT_NEAR(static_cast<double>(seen.start), 1350e6, static_cast<double>(pixels(1)));
  QTest::keyClick(&view, Qt::Key_Backspace);
  EXPECT_EQ(view.visibleRange(), (TimeRange{1050 * kMs, 1150 * kMs}));
}

TEST_F(Overview, TheWindowMovesWithTheMouse) {
  view.setVisibleRange({1100 * kMs, 1300 * kMs});
  const QPoint from = atTime(1200 * kMs);
  drag(from, from + QPoint(50, 0));
  EXPECT_EQ(view.visibleRange().length(), 200 * kMs);
  EXPECT_NEAR(static_cast<double>(view.visibleRange().start), static_cast<double>(1100 * kMs + pixels(50)),
              static_cast<double>(pixels(1)));
  drag(atTime(view.visibleRange().start + 100 * kMs), from + QPoint(5000, 0));
  EXPECT_EQ(view.visibleRange().end, view.viewport().everything().end) << "and stays in the trace";
}

TEST_F(Overview, AnEdgeIsPulledAndTheOtherStays) {
  view.setVisibleRange({1100 * kMs, 1300 * kMs});
  drag(atTime(1300 * kMs), atTime(1400 * kMs));
  EXPECT_EQ(view.visibleRange().start, 1100 * kMs);
  EXPECT_NEAR(static_cast<double>(view.visibleRange().end), 1400e6, static_cast<double>(pixels(1)));
  QTest::keyClick(&view, Qt::Key_Backspace);
  EXPECT_EQ(view.visibleRange(), (TimeRange{1100 * kMs, 1300 * kMs})) << "one gesture";
}

TEST_F(Overview, KeysMoveTheWindow) {
  const TimeRange all = view.viewport().everything(), first{1100 * kMs, 1200 * kMs};
  const struct {
    Qt::Key key;
    Qt::KeyboardModifiers held;
    TimeRange then;
  } kRows[] = {{Qt::Key_Right, Qt::NoModifier, {1115 * kMs, 1215 * kMs}},
               {Qt::Key_Left, Qt::NoModifier, {1085 * kMs, 1185 * kMs}},
               {Qt::Key_Right, Qt::ShiftModifier, {1100 * kMs, 1210 * kMs}},
               {Qt::Key_Left, Qt::ShiftModifier, {1100 * kMs, 1190 * kMs}},
               {Qt::Key_PageDown, Qt::NoModifier, {1200 * kMs, 1300 * kMs}},
               {Qt::Key_PageUp, Qt::NoModifier, {1000 * kMs, 1100 * kMs}},
               {Qt::Key_Home, Qt::NoModifier, {all.start, all.start + 100 * kMs}},
               {Qt::Key_End, Qt::NoModifier, {all.end - 100 * kMs, all.end}}};
  for (const auto& row : kRows) {
    view.setVisibleRange(first);
    QTest::keyClick(strip, row.key, row.held);
    EXPECT_EQ(view.visibleRange(), row.then) << row.key << " " << row.held.toInt();
  }
  view.setVisibleRange(first);
  QTest::keyClick(strip, Qt::Key_F);
  EXPECT_EQ(view.visibleRange(), all) << "other keys are the timeline's";
}

TEST_F(Overview, IsReachedByTabAndNamed) {
  EXPECT_TRUE(strip->focusPolicy() & Qt::TabFocus);
  EXPECT_FALSE(strip->accessibleName().isEmpty());
  strip->setFocus(Qt::TabFocusReason);
  view.setVisibleRange({1100 * kMs, 1200 * kMs});
  const QString before = strip->accessibleDescription();
  QTest::keyClick(strip, Qt::Key_Right);
  EXPECT_FALSE(before.isEmpty());
  EXPECT_NE(strip->accessibleDescription(), before);
}

/// A lane each that computes for the first tenth, half of the second and not at all in the third.
std::shared_ptr<const Trace> tenths(int lanes) {
  TraceBuilder builder("Tenths", std::vector<LaneInfo>(static_cast<std::size_t>(lanes)));
  for (int lane = 0; lane < lanes; ++lane) {
    const TrackIndex track = builder.addTrack(lane, Track::Kind::Compute, "compute");
    const auto act = [&](Phase phase, TimeRange range) {
      builder.append(track, testworld::named(builder, "F", Category::Action, phase, range, 0, lane, 0));
    };
    act(Phase::Forward, {0, 100});
    for (Nanoseconds start = 100; start < 200; start += 2) act(Phase::Backward, {start, start + 1});
    act(Phase::Update, {299, 300});
  }
  return builder.snapshot();
}

TEST(OverviewPicture, HasALineForEachLaneInItsColours) {
  const look::Palette& palette = look::lightPalette();
  const QImage picture = overviewPicture(TimelineData(tenths(2)), {0, 300}, {30, 10}, palette);
  for (const int y : {1, 6}) {
    EXPECT_EQ(picture.pixel(5, y), palette.forward.rgb());
    EXPECT_EQ(picture.pixel(25, y), palette.surface.rgb());
    const QColor half = picture.pixelColor(15, y);
    EXPECT_NE(half, palette.backward);
    EXPECT_NE(half, palette.surface);
  }
  EXPECT_EQ(picture.pixel(5, 4), palette.surface.rgb()) << "lines are apart";
}

TEST(OverviewPicture, OfManyLanesIsAsHighAsTheyWereBusy) {
  const look::Palette& palette = look::lightPalette();
  const QImage picture = overviewPicture(TimelineData(tenths(16)), {0, 300}, {30, 20}, palette);
  const auto heightAt = [&](int x) {
    int height = 0;
    for (int y = 0; y < picture.height(); ++y) height += picture.pixel(x, y) != palette.surface.rgb();
    return height;
  };
  EXPECT_EQ(heightAt(5), 20);
  EXPECT_NEAR(heightAt(15), 10, 1);
  EXPECT_EQ(heightAt(25), 0);
}

TEST(OverviewPicture, OfNothingIsEmpty) {
  const look::Palette& palette = look::lightPalette();
  EXPECT_TRUE(overviewPicture(TimelineData(tenths(2)), {0, 300}, {0, 10}, palette).isNull());
  const QImage empty = overviewPicture(TimelineData(tenths(2)), {0, 0}, {4, 4}, palette);
  EXPECT_EQ(empty.pixel(0, 0), palette.surface.rgb());
}

}  // namespace
}  // namespace lanelab
