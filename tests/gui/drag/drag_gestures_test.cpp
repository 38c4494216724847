// SPDX-License-Identifier: GPL-3.0-only
// Spans pulled by the mouse: edges, bodies, with Shift, given up, and what cannot be pulled.
#include <functional>

#include "profiler/analysis/aligned_runs.h"
#include "tests/gui/drag/drag_world.h"

namespace lanelab {
namespace {

using testworld::DragTest;
using testworld::kMs;
using testworld::kSecondLane;
using testworld::pipelineTrace;

constexpr auto kAll = Qt::AltModifier | Qt::ShiftModifier;

class PulledSpans : public DragTest {
 protected:
  void SetUp() override {
    DragTest::SetUp();
    view.setVisibleRange({1000 * kMs, 1100 * kMs});
  }
};

TEST_F(PulledSpans, GetLongerAndShorterAtTheirEdges) {
  const QRect span = placeOf(1);
  const int middle = span.center().x(), y = span.y();
  const struct {
    const char* what;
    int from;
    int by;
    Qt::KeyboardModifiers held;
    bool all;
  } kRows[] = {{"the end to the right", span.right() - 1, 40, Qt::AltModifier, false},
               {"the end to the left", span.right() - 1, -30, Qt::AltModifier, false},
               {"the start to the left", span.left() + 1, -30, Qt::AltModifier, false},
               {"the start to the right", span.left() + 1, 30, Qt::AltModifier, false},
               {"with Shift all of its kind", span.right() - 1, -30, kAll, true}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.what);
    const bool at_end = row.from > middle;
    press({row.from, y}, row.held);
    pull({row.from + row.by, y}, row.held);
    ASSERT_EQ(factors().size(), 1u);
    const double expected = 1 + static_cast<double>(at_end ? row.by : -row.by) / span.width();
    EXPECT_NEAR(factors().front(), expected, 0.02);
    EXPECT_EQ(changes().changes().spans.front().all, row.all);
    EXPECT_FALSE(changes().isPending()) << "not before the button is released";
    release({row.from + row.by, y}, row.held);
    EXPECT_TRUE(changes().isPending());
    changes().restore();
  }
}

TEST_F(PulledSpans, AreReplayedWhileTheyMove) {
  const auto measured = view.trace();
  const QRect span = placeOf(1);
  press(span.topRight());
  pull(span.topRight() + QPoint(30, 0));
  ASSERT_TRUE(answered());
  ASSERT_TRUE(changes().shown());
  const ChangedSteps& steps = changes().shown()->timeline->steps();
  EXPECT_GT(steps.after.step, steps.before.step);
  EXPECT_EQ(changeLines(changes().shown()->timeline->data(), *changes().shown()).front().left(22),
            QStringLiteral("F1 of stage 0, step 1:"));
  EXPECT_EQ(view.trace(), measured) << "what was measured stays";
  release(span.topRight() + QPoint(30, 0));
}

TEST_F(PulledSpans, OfOneKindAreOneChangeOfAllSteps) {
  const QRect span = placeOf(1);
  press(span.topRight(), kAll);
  pull(span.topRight() - QPoint(30, 0), kAll);
  release(span.topRight() - QPoint(30, 0), kAll);
  ASSERT_TRUE(answered());
  const ChangedTimeline& timeline = *changes().shown()->timeline;
  EXPECT_EQ(timeline.steps().step, std::nullopt);
  EXPECT_EQ(timeline.changed().size(), 18u) << "six forwards of the stage in each of three steps";
  EXPECT_TRUE(changeLines(timeline.data(), *changes().shown()).front().startsWith("All F of stage 0: "));
}

TEST_F(PulledSpans, GoToAnotherLaneByTheirBody) {
  const QRect span = placeOf(1);
  const int other = at(1000 * kMs, kSecondLane).y();
  press(span.center());
  pull({span.center().x(), other});
  EXPECT_EQ(changes().changes().lanes, (std::map<int, int>{{0, 1}}));
  ASSERT_TRUE(answered());
  const ChangedTimeline& timeline = *changes().shown()->timeline;
  for (const Track& track : timeline.data().trace().tracks)
    if (track.kind == Track::Kind::Compute) {
      EXPECT_EQ(track.spans.empty(), track.lane == 0) << "all actions of the stage went";
    }
  EXPECT_EQ(changeLines(timeline.data(), *changes().shown()).front(), QStringLiteral("Stage 0: lane 0 \u2192 lane 1"));
  pull(span.center());
  EXPECT_TRUE(changesNothing(changes().changes())) << "back on its lane nothing is changed";
  release(span.center());
  EXPECT_FALSE(changes().isPending());
}

TEST_F(PulledSpans, ComeBackWithEscape) {
  const auto before = seen();
  const QRect span = placeOf(1);
  press(span.topRight());
  pull(span.topRight() + QPoint(50, 0));
  ASSERT_TRUE(answered());
  EXPECT_NE(seen().picture, before.picture);
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_FALSE(view.pulling().isPulling());
  release(span.topRight() + QPoint(50, 0));
  EXPECT_FALSE(changes().shown());
  QTest::keyClick(&view, Qt::Key_Escape);  // the pulled span was selected by the press
  hold({2, 2}, Qt::NoModifier);
  EXPECT_EQ(seen().spans, before.spans);
  EXPECT_EQ(seen().picture, before.picture);
}

TEST_F(PulledSpans, ThatArePendingComeBackWithEscapeToTheNanosecond) {
  const auto before = seen();
  for (const std::size_t position : {1u, 3u, 5u}) {
    const Qt::KeyboardModifiers held = position == 3 ? Qt::KeyboardModifiers(kAll) : Qt::AltModifier;
    const QPoint end = placeNow(position).topRight() - QPoint(1, 0);
    press(end, held);
    pull(end + QPoint(10, 0), held);
    release(end + QPoint(10, 0), held);
    ASSERT_TRUE(answered());
  }
  EXPECT_EQ(countOf(changes().changes()), 3) << "changes add up";
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_FALSE(changes().isPending());
  QTest::keyClick(&view, Qt::Key_Escape);
  hold({2, 2}, Qt::NoModifier);
  EXPECT_TRUE(seen() == before);
}

/// What lies elsewhere by a change is pulled and selected where it is now.
TEST_F(PulledSpans, AreFoundWhereChangesHaveMovedThem) {
  const QRect span = placeOf(1);
  press(span.topRight());
  pull(span.topRight() + QPoint(60, 0));
  release(span.topRight() + QPoint(60, 0));
  ASSERT_TRUE(answered());
  const auto now = changes().shown()->timeline->now({0, 2});
  ASSERT_TRUE(now);
  const Span later = changes().shown()->timeline->data().span(*now);
  ASSERT_NE(later.start, action(2).start);
  QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf(later, 0));
  ASSERT_TRUE(view.spanDetails());
  EXPECT_EQ(view.spanDetails()->name, "0F2");
  EXPECT_EQ(view.spanDetails()->span.start, action(2).start) << "its details are what was measured";
}

TEST_F(PulledSpans, OnlyIfAltIsHeld) {
  const QRect span = placeOf(1);
  press(span.topRight(), Qt::NoModifier);
  pull(span.topRight() + QPoint(40, 0), Qt::NoModifier);
  release(span.topRight() + QPoint(40, 0), Qt::NoModifier);
  EXPECT_FALSE(changes().isPending());
  EXPECT_TRUE(view.selection()) << "a drag selects a range as ever";
}

TEST_F(PulledSpans, SayInTheStatusLineWhatAltDoes) {
  QSignalSpy said(&view, &TimelineView::hoverChanged);
  hold(placeOf(1).center(), Qt::AltModifier);
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said.back().front().toString(),
            "Alt: pull an edge to change how long F1 of stage 0, step 1 takes, with Shift all F of stage 0; drag it up "
            "or down to move stage 0 to another lane");
  EXPECT_EQ(view.cursor().shape(), Qt::OpenHandCursor);
  hold(placeOf(1).topRight() - QPoint(1, 0), Qt::AltModifier);
  EXPECT_EQ(view.cursor().shape(), Qt::SizeHorCursor);
  hold(placeOf(1).center(), Qt::NoModifier);
  EXPECT_EQ(view.cursor().shape(), Qt::ArrowCursor);
}

TEST_F(PulledSpans, AskTheRuleOnceForEachPlaceAndObeyIt) {
  int asked = 0;
  changes().setMoveRule([&](const std::map<int, int>& lanes) {
    ++asked;
    return TimelineChanges::MoveAnswer{lanes.at(0) == 1 ? "The schedule wants one stage a lane." : "", {}};
  });
  const QRect span = placeOf(1);
  const QPoint other(span.center().x(), at(1000 * kMs, kSecondLane).y());
  press(span.center());
  for (int i = 0; i < 5; ++i) pull(other + QPoint(i, 0));
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(changesNothing(changes().changes()));
  EXPECT_EQ(view.pulling().card().join(' '), "The schedule wants one stage a lane.");
  EXPECT_EQ(view.cursor().shape(), Qt::ForbiddenCursor);
  release(other);
  EXPECT_FALSE(changes().isPending());
}

std::shared_ptr<const Trace> with(const std::function<void(Trace&)>& change) {
  Trace trace = *pipelineTrace();
  change(trace);
  return std::make_shared<const Trace>(std::move(trace));
}

TEST_F(PulledSpans, OfWhatWasNotMeasuredSayWhyNot) {
  const struct {
    std::shared_ptr<const Trace> trace;
    const char* words;
  } kRows[] = {{with([](Trace& trace) { trace.origin = Origin::Predicted; }), "predicted"},
               {with([](Trace& trace) { trace.origin = Origin::Replayed; }), "Reset What If"},
               {with([](Trace& trace) {
                  trace.live = {{0, 1100 * kMs, {}}, {1, 1100 * kMs, {}}};
                }),
                "in progress"}};
  for (const auto& row : kRows) {
    give(row.trace);
    QSignalSpy said(&view, &TimelineView::hoverChanged);
    const QRect span = placeOf(1);
    press(span.center());
    pull(span.center() + QPoint(30, 0));
    EXPECT_TRUE(view.pulling().card().join(' ').contains(row.words)) << view.pulling().card().join(' ').toStdString();
    release(span.center() + QPoint(30, 0));
    EXPECT_FALSE(changes().isPending());
    ASSERT_FALSE(said.empty());
  }
}

TEST_F(PulledSpans, OfTwoRunsOnOneAxisSayWhyNot) {
  const auto aligned = std::make_shared<const AlignedRuns>(alignRuns(*pipelineTrace(), *pipelineTrace()));
  view.setAligned(aligned);
  EXPECT_TRUE(changes().whyNot().contains("Stop comparing")) << changes().whyNot().toStdString();
  view.setTrace(pipelineTrace());
  EXPECT_EQ(changes().whyNot(), "");
}

TEST_F(PulledSpans, OfAnotherTraceAreForgotten) {
  const QRect span = placeOf(1);
  press(span.topRight());
  pull(span.topRight() + QPoint(40, 0));
  release(span.topRight() + QPoint(40, 0));
  ASSERT_TRUE(changes().isPending());
  view.setTrace(pipelineTrace({.lanes = 3}));
  EXPECT_FALSE(changes().isPending());
  EXPECT_FALSE(changes().shown());
}

}  // namespace
}  // namespace lanelab
