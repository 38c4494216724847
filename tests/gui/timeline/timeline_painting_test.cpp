// SPDX-License-Identifier: GPL-3.0-only
// What a timeline paints, on the screen and in pictures.
#include <QScreen>
#include <QSignalSpy>

#include "tests/gui/timeline/timeline_view_world.h"
#include "ui/timeline/view/timeline_picture.h"

namespace lanelab {
namespace {

using testworld::denseTrace;
using testworld::kMs;
using testworld::kSecondLane;
using testworld::pipelineTrace;
using testworld::traceThatFailed;
using TimelinePainting = testworld::TimelineViewTest;

TEST_F(TimelinePainting, ThePointersMarksAreRepaintedWithoutATrace) {
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

TEST_F(TimelinePainting, WithoutATraceItSaysWhatWillBeHereAndKeysDoNothing) {
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

TEST_F(TimelinePainting, ATraceWithLanesButNoSpansIsEmptyToo) {
  TraceBuilder builder("Nothing yet", {{"lane 0", "cpu:0"}});
  view.setTrace(builder.snapshot());
  EXPECT_GT(pixelsOf(look::current().muted_text), 50);
}

TEST_F(TimelinePainting, SpansHaveTheirColoursAndIdleTimeIsHatched) {
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

TEST_F(TimelinePainting, BetweenStepsNothingIsHatched) {
  const std::vector<StepWindow> steps = stepWindows(*view.trace());
  view.setVisibleRange({steps[0].range.end - 10 * kMs, steps[1].range.start + 10 * kMs});
  const QImage image = view.grab().toImage();
  const QPoint between = at((steps[0].range.end + steps[1].range.start) / 2, 0);
  for (int x = between.x() - 8; x < between.x() + 8; ++x) {
    const QColor color = image.pixelColor(x, between.y());
    EXPECT_TRUE(color == look::current().surface || color == look::current().grid) << x;
  }
}

TEST_F(TimelinePainting, DetailsAddRowsOfBlocks) {
  const QColor block = look::current().span(Category::Block, Phase::Forward);
  EXPECT_EQ(pixelsOf(block), 0);
  view.setShowDetails(true);
  EXPECT_TRUE(view.showsDetails());
  EXPECT_GT(pixelsOf(block), 500);
}

TEST_F(TimelinePainting, TheKeyboardFocusIsSeen) {
  EXPECT_GT(pixelsOf(look::current().accent), 1000);
  view.clearFocus();
  EXPECT_EQ(pixelsOf(look::current().accent), 0);
}

TEST_F(TimelinePainting, AHundredThousandSpansArePaintedWithIdleTimeVisible) {
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

TEST_F(TimelinePainting, ThePictureSaysWhatItShows) {
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

TEST_F(TimelinePainting, AnSvgOfTheTimelineIsLinesAndTextInsideItsPage) {
  view.setVisibleRange({1050 * kMs, 1150 * kMs});
  const QString svg = svgElement(view.picture());
  EXPECT_FALSE(svg.contains(QStringLiteral("<image")));
  for (const char* text : {">F3<", ">B1<", ">lane 0<", ">step 1<", ">F forward<"})
    EXPECT_TRUE(svg.contains(QString::fromUtf8(text))) << text;
}

TEST_F(TimelinePainting, AStepCutOffAtTheEdgeIsNamedOnlyWhereItsNameHasRoom) {
  const auto steps = stepWindows(*view.trace());
  view.setVisibleRange({steps[0].range.end - kMs, steps[1].range.end});
  const QString cut = svgElement(view.picture());
  EXPECT_FALSE(cut.contains(QStringLiteral(">step 1<"))) << "it would lie in the bracket of step 2";
  EXPECT_TRUE(cut.contains(QStringLiteral(">step 2<")));
}

TEST_F(TimelinePainting, StepsOfFewPixelsHaveNoLines) {
  const QColor line = look::mix(look::current().line, look::current().muted_text, 0.5);
  const TimeRange first = stepWindows(*view.trace()).front().range;
  const auto seenWithStepOf = [&](double pixels) {
    const auto length = static_cast<Nanoseconds>(static_cast<double>(first.length()) * view.width() / pixels);
    view.setVisibleRange({first.start - length / 2, first.start + length / 2});
    return pixelsOf(line);
  };
  EXPECT_GT(seenWithStepOf(40), 100);
  EXPECT_EQ(seenWithStepOf(4), 0);
}

TEST_F(TimelinePainting, TheActionThatFailedIsFlaggedAndTellsTheError) {
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

TEST_F(TimelinePainting, TheFailedActionCountsNeitherAsBusyNorAsIdleMore) {
  const TimelineData data(traceThatFailed());
  ASSERT_EQ(data.failures().size(), 1U);
  EXPECT_EQ(data.busyWithin(0, {0, 100 * kMs}), 20 * kMs);
}

TEST_F(TimelinePainting, TheSameTraceGivesTheSamePixels) {
  const Picture picture = timelinePicture(pipelineTrace());
  EXPECT_EQ(render(picture, look::lightPalette()), render(picture, look::lightPalette()));
  EXPECT_NE(render(picture, look::lightPalette()), render(picture, look::darkPalette()));
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

TEST_F(TimelinePainting, LabelsStayTrueWhereTheSameNamesComeInAnotherOrder) {
  view.showRows(RowKind::Blocks, true);
  view.setVisibleRange({1000 * kMs, 1030 * kMs});
  QApplication::processEvents();
  const QImage before = view.grab().toImage();
  view.setTrace(withOtherNames(*view.trace()));
  QApplication::processEvents();
  EXPECT_EQ(view.grab().toImage(), before);
}

TEST_F(TimelinePainting, TheBoxGivesWayToADialog) {
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

TEST_F(TimelinePainting, ARunningActionIsLighterAndOpenAtItsEnd) {
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
