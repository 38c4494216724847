// SPDX-License-Identifier: GPL-3.0-only
// The parts of a timeline that know no widget: what is seen, and what the user points at.
#include "ui/timeline/view/timeline_viewport.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <algorithm>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/view/timeline_hits.h"
#include "ui/timeline/view/timeline_moves.h"

namespace lanelab {
namespace {

using testworld::denseTrace;
using testworld::kMs;
using testworld::pipelineTrace;

/// A timeline of 900 x 300 pixels without a widget.
struct Timeline {
  void show(std::shared_ptr<const Trace> trace) {
    const TraceChange change = content.setTrace(std::move(trace), nullptr);
    focus.setTrace(change);
    viewport.setTrace(change);
  }
  SpanRef first() const {
    const TimelineHits hits(content, viewport);
    return *hits.span(middleOf({hits.layout().rows.front().row, 0}));
  }
  QPointF middleOf(SpanRef ref) const {
    const TimelineLayout placed = viewport.layout();
    const TimeRange range = content.data()->span(ref).range();
    return {placed.scale(viewport.visible()).x(range.start + range.length() / 2),
            placed.boxOf(ref.row)->rect.center().y()};
  }

  TimelineContent content;
  TimelineViewport viewport{content, [] { return QRectF(0, 0, 900, 300); }};
  TimelineFocus focus{content, viewport};
  TimelineMoves moves{content, viewport, focus};
};

TEST(TimelineContent, TellsALongerSnapshotFromAnotherRun) {
  TimelineContent content;
  EXPECT_FALSE(content.setTrace(pipelineTrace(), nullptr).continued);
  const TraceChange longer = content.setTrace(pipelineTrace({.steps = 6}), nullptr);
  EXPECT_TRUE(longer.continued && longer.same_lanes);
  const TraceChange later = content.setTrace(pipelineTrace({.start = 2000 * kMs}), nullptr);
  EXPECT_FALSE(later.continued);
  EXPECT_TRUE(later.same_lanes);
  EXPECT_FALSE(content.setTrace(denseTrace(10, kMs, kMs / 2), nullptr).same_lanes);
}

TEST(TimelineViewport, AnythingByHandEndsFollowing) {
  Timeline timeline;
  timeline.show(pipelineTrace());
  timeline.viewport.setFollow(true);
  const QSignalSpy moved(&timeline.viewport, &TimelineViewport::moved);
  timeline.moves.zoomBy(0.5);
  EXPECT_FALSE(timeline.viewport.follows());
  EXPECT_EQ(moved.count(), 1);
}

TEST(TimelineViewport, ASpanOfAHiddenRowIsShownWithItsKind) {
  Timeline timeline;
  timeline.show(pipelineTrace());
  const std::vector<Row>& rows = timeline.content.data()->rows();
  const auto blocks =
      std::find_if(rows.begin(), rows.end(), [](const Row& row) { return row.kind == Track::Kind::Detail; });
  ASSERT_NE(blocks, rows.end());
  const SpanRef ref{static_cast<std::size_t>(blocks - rows.begin()), 0};
  ASSERT_EQ(timeline.viewport.layout().boxOf(ref.row), nullptr);
  timeline.moves.goTo(ref);
  EXPECT_NE(timeline.viewport.layout().boxOf(ref.row), nullptr);
  EXPECT_EQ(timeline.focus.current(), ref);
}

TEST(TimelineFocus, AnotherTraceForgetsWhatWasPointedAt) {
  Timeline timeline;
  timeline.show(pipelineTrace());
  timeline.focus.setCurrent(timeline.first());
  timeline.focus.setSelection(TimeRange{1000 * kMs, 1010 * kMs});
  EXPECT_EQ(timeline.focus.selectedBusy().size(), 2U);
  timeline.show(pipelineTrace({.steps = 6}));
  EXPECT_EQ(timeline.focus.current(), timeline.first()) << "the same run, a little longer";
  EXPECT_TRUE(timeline.focus.selection()) << "the same run, a little longer";
  timeline.show(denseTrace(10, kMs, kMs / 2));
  EXPECT_FALSE(timeline.focus.current());
  EXPECT_FALSE(timeline.focus.selection());
  EXPECT_TRUE(timeline.focus.selectedBusy().empty());
}

TEST(TimelineMoves, StepThroughARowAndBack) {
  Timeline timeline;
  timeline.show(pipelineTrace());
  timeline.moves.stepSpan(+1);
  ASSERT_TRUE(timeline.focus.current());
  const SpanRef first = *timeline.focus.current();
  timeline.moves.stepSpan(+1);
  EXPECT_EQ(timeline.focus.current(), (SpanRef{first.row, first.position + 1}));
  timeline.moves.stepSpan(-1);
  EXPECT_EQ(timeline.focus.current(), first);
}

TEST(TimelineMoves, DoNothingWithoutALane) {
  Timeline timeline;
  timeline.moves.toggleCollapsed();
  timeline.show(pipelineTrace());
  const RowArrangement before = timeline.viewport.arrangement();
  timeline.moves.togglePinned();
  timeline.moves.moveLane(+1);
  EXPECT_EQ(timeline.viewport.arrangement(), before);
  timeline.focus.chooseLane(1);
  timeline.moves.togglePinned();
  EXPECT_TRUE(timeline.viewport.arrangement().isPinned(1));
}

}  // namespace
}  // namespace lanelab
