// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QApplication>
#include <QImage>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/look/name_colors.h"
#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using testworld::kMs;
using testworld::pipelineTrace;

/// What another program's trace of one process looks like: threads and a stream, no lane of ours.
std::shared_ptr<const Trace> importedTraceFile(int threads) {
  auto trace = std::make_shared<Trace>();
  trace->title = "python";
  trace->lanes = {{"python (7)", ""}, {"empty (8)", ""}};
  trace->names = {"aten::add", "kernel"};
  const auto add = [&](Track::Kind kind, const std::string& name, Category category) {
    Track track;
    track.lane = 0;
    track.kind = kind;
    track.name = name;
    Span span;
    span.start = 0;
    span.end = 10 * kMs;
    span.category = category;
    track.spans.push_back(span);
    trace->tracks.push_back(std::move(track));
  };
  for (int i = 0; i < threads; ++i) add(Track::Kind::Host, "thread " + std::to_string(i), Category::CpuOp);
  add(Track::Kind::Stream, "stream 7", Category::Kernel);
  trace->tracks.push_back(Track{0, Track::Kind::Host, "thread without spans", {}});
  return trace;
}

/// A GPU whose collectives run beside its compute, as PyTorch's profiler records one.
std::shared_ptr<const Trace> communicatingGpu() {
  auto trace = std::make_shared<Trace>();
  trace->lanes = {{"GPU 0", "cuda:0"}};
  trace->names = {"gemm", "ncclDevKernel_AllReduce", "Memcpy HtoD"};
  const auto add = [&](const std::string& name, Category category, std::uint32_t text, Nanoseconds start) {
    Track track{0, Track::Kind::Stream, name, {}};
    Span span;
    span.start = start * kMs;
    span.end = (start + 4) * kMs;
    span.name = text;
    span.category = category;
    track.spans.push_back(span);
    trace->tracks.push_back(std::move(track));
  };
  add("stream 7", Category::Kernel, 0, 0);
  add("stream 20", Category::Communication, 1, 3);
  add("stream 7", Category::Memcpy, 2, 8);
  return trace;
}

bool showsColor(const QImage& image, const QColor& color) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) == color.rgb()) return true;
  return false;
}

class TimelineRowsTest : public ::testing::Test {
 protected:
  void SetUp() override { give(pipelineTrace({.lanes = 3, .steps = 2})); }

  void give(std::shared_ptr<const Trace> trace, int height = 420) {
    view.resize(1000, height);
    view.setTrace(std::move(trace));
    view.show();
    view.setFocus();
    QApplication::processEvents();
  }
  /// As it is while nothing is scrolled.
  TimelineLayout layout(double scroll = 0) {
    m_data = std::make_unique<TimelineData>(view.trace());
    return layOut(*m_data, view.viewport().area(), view.arrangement(), scroll);
  }
  std::vector<int> lanes() {
    std::vector<int> order;
    for (const LaneBox& lane : layout().lanes) order.push_back(lane.lane);
    return order;
  }
  QPoint header(int lane) { return layout().boxOfLane(lane)->title.center().toPoint(); }
  void move(QPoint where, Qt::MouseButtons buttons = Qt::NoButton) {
    QMouseEvent event(QEvent::MouseMove, QPointF(where), view.mapToGlobal(QPointF(where)), Qt::NoButton, buttons,
                      Qt::NoModifier);
    QApplication::sendEvent(&view, &event);
  }
  void dragHeader(int lane, int y) {
    QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, header(lane));
    move(QPoint(60, y), Qt::LeftButton);
    QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, QPoint(60, y));
  }
  void showKind(RowKind kind, bool on = true) {
    RowArrangement next = view.arrangement();
    next.show(kind, on);
    view.setArrangement(next);
  }
  QStringList rowNames() {
    QStringList names;
    for (const RowBox& box : layout().rows) names << m_data->rowName(box.row);
    return names;
  }

  TimelineView view;
  std::unique_ptr<TimelineData> m_data;
};

TEST_F(TimelineRowsTest, ALegendTellsCommunicationFromComputeOfImportedGpus) {
  give(communicatingGpu(), 200);
  const QRect legend = layout().legend.toAlignedRect();
  const QImage image = view.grab().toImage();
  for (const Category category : {Category::Communication, Category::Memcpy}) {
    const QColor color = look::current().span(category, Phase::None);
    EXPECT_TRUE(showsColor(image.copy(legend), color)) << toString(category);
    EXPECT_TRUE(showsColor(image.copy(layout().body.toAlignedRect()), color)) << toString(category);
  }
  EXPECT_TRUE(showsColor(image.copy(layout().body.toAlignedRect()),
                         look::nameColors(look::current())[look::nameColorOf("gemm")]))
      << "what computes has the colour of its name";
  const TimelineData data(view.trace());
  EXPECT_TRUE(spanSentence(data, {2, 0}).contains(QStringLiteral("communication between GPUs")))
      << spanSentence(data, {2, 0}).toStdString();
  give(importedTraceFile(1), 200);
  EXPECT_FALSE(
      showsColor(view.grab().toImage().copy(legend), look::current().span(Category::Communication, Phase::None)));
}

TEST_F(TimelineRowsTest, EachKindIsShownAndHiddenByItself) {
  EXPECT_EQ(rowNames(), (QStringList{"", "transfers", "", "transfers", "", "transfers"}));
  showKind(RowKind::Blocks);
  EXPECT_EQ(rowNames().mid(0, 3), (QStringList{"", "blocks", "transfers"}));
  showKind(RowKind::Transfers, false);
  EXPECT_EQ(rowNames(), (QStringList{"", "blocks", "", "blocks", "", "blocks"}));
  EXPECT_FALSE(view.showsDetails()) << "operators and host threads are hidden";
}

TEST_F(TimelineRowsTest, TheTriangleCollapsesALaneAndExpandsItAgain) {
  const double before = layout().boxOfLane(1)->rect.height();
  QSignalSpy changed(&view, &TimelineView::arrangementChanged);
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, triangleOf(*layout().boxOfLane(1)).center().toPoint());
  EXPECT_TRUE(view.arrangement().isCollapsed(1));
  EXPECT_EQ(changed.count(), 1);
  EXPECT_LT(layout().boxOfLane(1)->rect.height(), before / 2);
  EXPECT_EQ(std::ranges::count_if(layout().rows, [&](const RowBox& box) { return m_data->rows()[box.row].lane == 1; }),
            1)
      << "only its actions are left";
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, triangleOf(*layout().boxOfLane(1)).center().toPoint());
  EXPECT_FALSE(view.arrangement().isCollapsed(1));
  EXPECT_EQ(layout().boxOfLane(1)->rect.height(), before);
}

TEST_F(TimelineRowsTest, ThePinPutsALaneFirstAndKeepsItThereWhileOthersScroll) {
  give(pipelineTrace({.lanes = 12, .steps = 1}), 300);
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, pinOf(*layout().boxOfLane(2)).center().toPoint());
  EXPECT_TRUE(view.arrangement().isPinned(2));
  EXPECT_EQ(lanes().front(), 2);
  const TimelineLayout top = layout(0), scrolled = layout(60);
  EXPECT_EQ(scrolled.boxOfLane(2)->rect, top.boxOfLane(2)->rect);
  EXPECT_EQ(scrolled.boxOfLane(0)->rect, top.boxOfLane(0)->rect.translated(0, -60));
  const double inside = scrolled.boxOfLane(2)->rect.center().y();
  EXPECT_EQ(scrolled.laneAt(inside)->lane, 2) << "what is scrolled below the pinned lane is not hit";
  const auto parts = scrolled.parts();
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].body.top(), parts[1].body.bottom());
  EXPECT_EQ(parts[1].lanes.size(), 1U);
  EXPECT_EQ(parts[0].lanes.size(), 11U);
  EXPECT_EQ(parts[0].rows.size() + parts[1].rows.size(), scrolled.rows.size());
}

TEST_F(TimelineRowsTest, LanesThatWouldFillTheViewScrollAlthoughTheyArePinned) {
  RowArrangement all;
  for (int lane = 0; lane < 12; ++lane) all.pin(lane, true);
  give(pipelineTrace({.lanes = 12, .steps = 1}), 300);
  view.setArrangement(all);
  EXPECT_EQ(layout().pinned_height, 0);
  EXPECT_EQ(layout().parts().size(), 1U);
}

TEST_F(TimelineRowsTest, DraggingAHeaderMovesTheLane) {
  const TimelineLayout placed = layout();
  dragHeader(0, static_cast<int>(placed.boxOfLane(2)->rect.bottom()) - 3);
  EXPECT_EQ(lanes(), (std::vector<int>{1, 2, 0}));
  dragHeader(0, static_cast<int>(placed.lanes.front().rect.top()) + 3);
  EXPECT_EQ(lanes(), (std::vector<int>{0, 1, 2}));
}

TEST_F(TimelineRowsTest, TheDropLineShowsWhileALaneIsDraggedAndEscapeLeavesItWhereItWas) {
  const QPoint end(60, static_cast<int>(layout().boxOfLane(2)->rect.bottom()) - 3);
  QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, header(0));
  move(end, Qt::LeftButton);
  const int y = static_cast<int>(layout().boxOfLane(2)->rect.bottom());
  const QImage dragged = view.grab().toImage();
  EXPECT_EQ(dragged.pixelColor(100, y - 1), look::current().accent);
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_NE(view.grab().toImage().pixelColor(100, y - 1), look::current().accent);
  QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, end);
  EXPECT_EQ(lanes(), (std::vector<int>{0, 1, 2}));
}

TEST_F(TimelineRowsTest, KeysCollapsePinAndMoveTheCurrentSpansLane) {
  QTest::keyClick(&view, Qt::Key_Period);
  ASSERT_EQ(view.currentLane(), 0);
  QTest::keyClick(&view, Qt::Key_Down);
  ASSERT_EQ(view.currentLane(), 1);
  QTest::keyClick(&view, Qt::Key_Up, Qt::ControlModifier);
  EXPECT_EQ(lanes(), (std::vector<int>{1, 0, 2}));
  QTest::keyClick(&view, Qt::Key_Down, Qt::ControlModifier);
  QTest::keyClick(&view, Qt::Key_Down, Qt::ControlModifier);
  EXPECT_EQ(lanes(), (std::vector<int>{0, 2, 1}));
  QTest::keyClick(&view, Qt::Key_C);
  EXPECT_TRUE(view.arrangement().isCollapsed(1));
  QTest::keyClick(&view, Qt::Key_P);
  EXPECT_TRUE(view.arrangement().isPinned(1));
  EXPECT_EQ(lanes(), (std::vector<int>{1, 0, 2}));
  QTest::keyClick(&view, Qt::Key_P);
  QTest::keyClick(&view, Qt::Key_C);
  EXPECT_FALSE(view.arrangement().isPinned(1) || view.arrangement().isCollapsed(1));
}

TEST_F(TimelineRowsTest, UpAndDownFollowWhatIsSeen) {
  RowArrangement next;
  next.moveBefore(2, 0, 3);
  view.setArrangement(next);
  QTest::keyClick(&view, Qt::Key_Period);
  EXPECT_EQ(view.currentLane(), 2);
  QTest::keyClick(&view, Qt::Key_Down);
  EXPECT_EQ(view.currentLane(), 0);
}

TEST_F(TimelineRowsTest, AClickOnAHeaderChoosesTheLaneForKeys) {
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, header(2));
  EXPECT_EQ(view.currentLane(), 2);
  EXPECT_EQ(lanes(), (std::vector<int>{0, 1, 2}));
  QTest::keyClick(&view, Qt::Key_C);
  EXPECT_TRUE(view.arrangement().isCollapsed(2));
  EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("lane 2")));
}

TEST_F(TimelineRowsTest, ACurrentSpanThatIsHiddenIsNoLongerCurrent) {
  view.setShowDetails(true);
  QSignalSpy told(&view, &TimelineView::hoverChanged);
  const TimelineLayout placed = layout();
  const auto block =
      std::ranges::find_if(placed.rows, [&](const RowBox& box) { return m_data->rowKind(box.row) == RowKind::Blocks; });
  ASSERT_NE(block, placed.rows.end());
  const Span span = m_data->span({block->row, 0});
  const QPointF at(placed.scale(view.visibleRange()).x(span.start + span.range().length() / 2),
                   block->rect.center().y());
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at.toPoint());
  EXPECT_EQ(view.currentLane(), 0);
  view.setShowDetails(false);
  EXPECT_EQ(view.currentLane(), 0) << "its lane stays chosen";
  QTest::keyClick(&view, Qt::Key_Period);
  EXPECT_EQ(view.currentLane(), 0);
}

TEST_F(TimelineRowsTest, LanesStayArrangedWhileTheTraceHasTheSameLanes) {
  RowArrangement next;
  next.moveBefore(2, 0, 3);
  next.collapse(1, true);
  next.show(RowKind::Blocks, true);
  view.setArrangement(next);
  view.setTrace(pipelineTrace({.lanes = 3, .steps = 4}));
  EXPECT_EQ(view.arrangement(), next);
  view.setTrace(pipelineTrace({.lanes = 2, .steps = 4}));
  EXPECT_FALSE(view.arrangement().arrangesLanes());
  EXPECT_TRUE(view.arrangement().shows(RowKind::Blocks)) << "kinds of rows are the person's, not the run's";
}

TEST_F(TimelineRowsTest, CountersLieBelowTheirLaneAndThoseOfTheRunAtTheEnd) {
  Trace trace = *pipelineTrace({.lanes = 2, .steps = 2});
  Counter loss;
  loss.name = loss.series = "loss";
  loss.times = {trace.range().start};
  loss.values = {2.5};
  trace.counters.push_back(loss);
  give(std::make_shared<const Trace>(std::move(trace)), 500);
  EXPECT_TRUE(layout().counters.empty());
  showKind(RowKind::Counters);
  const TimelineLayout placed = layout();
  ASSERT_EQ(placed.counters.size(), 5U);
  for (const CounterBox& box : placed.counters) {
    const int lane = m_data->counters()[box.counter].lane();
    EXPECT_TRUE(placed.boxOfLane(lane)->rect.contains(box.rect.center())) << lane;
  }
  EXPECT_EQ(placed.lanes.back().lane, -1);
  EXPECT_GE(placed.counters.back().rect.top(), placed.boxOfLane(1)->rect.bottom());
}

TEST_F(TimelineRowsTest, TheValueUnderThePointerStandsInTheHeader) {
  give(pipelineTrace({.lanes = 2, .steps = 2}), 500);
  showKind(RowKind::Counters);
  const TimelineLayout placed = layout();
  move(placed.body.topLeft().toPoint() + QPoint(-20, 4));
  const QRect name(60, static_cast<int>(placed.counters[0].rect.top()), 100,
                   static_cast<int>(placed.counters[0].rect.height()));
  const QImage without = view.grab(name).toImage();
  move(QPoint(500, static_cast<int>(placed.counters[0].rect.center().y())));
  EXPECT_NE(view.grab(name).toImage(), without);
  QSignalSpy told(&view, &TimelineView::hoverChanged);
  move(QPoint(300, static_cast<int>(placed.counters[0].rect.center().y())));
  ASSERT_EQ(told.count(), 1);
  EXPECT_TRUE(told.last().first().toString().startsWith(QStringLiteral("utilization of lane 0: ")))
      << told.last().first().toString().toStdString();
  move(placed.body.topLeft().toPoint() + QPoint(-20, 4));
  EXPECT_TRUE(told.last().first().toString().isEmpty());
}

TEST_F(TimelineRowsTest, APointerThatLeavesAnEmptyTimelineIsNoHarm) {
  showKind(RowKind::Counters);
  view.setTrace(nullptr);
  QEvent leave(QEvent::Leave);
  QApplication::sendEvent(&view, &leave);
  EXPECT_EQ(view.currentLane(), std::nullopt);
}

TEST_F(TimelineRowsTest, ThePictureHasTheArrangementOfTheScreen) {
  const double plain = view.picture().size.height();
  RowArrangement next;
  next.moveBefore(2, 0, 3);
  next.collapse(0, true);
  view.setArrangement(next);
  const Picture picture = view.picture();
  EXPECT_LT(picture.size.height(), plain);
  const QString svg = svgElement(picture);
  EXPECT_LT(svg.indexOf(QStringLiteral(">lane 2<")), svg.indexOf(QStringLiteral(">lane 0<")));
  showKind(RowKind::Counters);
  EXPECT_TRUE(svgElement(view.picture()).contains(QStringLiteral(">utilization<")));
  EXPECT_FALSE(svgElement(view.picture()).contains(QStringLiteral("<image")));
}

TEST_F(TimelineRowsTest, AnImportedTraceShowsItsThreadsAndStreamsByName) {
  give(importedTraceFile(3));
  EXPECT_EQ(rowNames(), (QStringList{"stream 7"})) << "threads are shown on demand";
  showKind(RowKind::HostThreads);
  EXPECT_EQ(rowNames(), (QStringList{"stream 7", "thread 0", "thread 1", "thread 2"}))
      << "rows without spans and lanes without rows are left out";
  EXPECT_EQ(lanes(), (std::vector<int>{0}));
  const LaneBox lane = layout().lanes.front();
  for (const RowBox& box : layout().rows)
    EXPECT_GE(box.rect.top(), lane.title.bottom() - 5) << "the process has a line of its own";
}

TEST_F(TimelineRowsTest, HundredsOfThreadsScroll) {
  give(importedTraceFile(400), 300);
  showKind(RowKind::HostThreads);
  EXPECT_EQ(layout().rows.size(), 401U);
  EXPECT_GT(view.findChild<QScrollBar*>(QStringLiteral("timelineLanesBar"))->maximum(), 5000);
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, triangleOf(layout().lanes.front()).center().toPoint());
  EXPECT_EQ(layout().rows.size(), 1U);
}

TEST_F(TimelineRowsTest, WhenAllRowsAreHiddenItSaysWhereTheyAre) {
  give(importedTraceFile(3));
  showKind(RowKind::Streams, false);
  EXPECT_TRUE(layout().lanes.empty());
  const QImage said = view.grab().toImage();
  showKind(RowKind::Streams);
  EXPECT_NE(view.grab().toImage(), said);
  EXPECT_FALSE(layout().lanes.empty());
}

TEST_F(TimelineRowsTest, OperatorsOfALaneAreNoHostThread) {
  auto trace = std::make_shared<Trace>(*pipelineTrace({.lanes = 1, .steps = 1}));
  const auto add = [&](const std::string& name, Category category) {
    Track track{0, Track::Kind::Host, name, {}};
    Span span;
    span.start = trace->range().start;
    span.end = span.start + kMs;
    span.category = category;
    track.spans.push_back(span);
    trace->tracks.push_back(std::move(track));
  };
  add("operators", Category::CpuOp);
  add("host", Category::Host);
  give(trace);
  showKind(RowKind::Operators);
  EXPECT_EQ(rowNames(), (QStringList{"", "operators"}));
  showKind(RowKind::HostThreads);
  EXPECT_EQ(rowNames(), (QStringList{"", "operators", "host"}));
}

}  // namespace
}  // namespace lanelab
