// SPDX-License-Identifier: GPL-3.0-only
// What keys, menus and headers do to a timeline's viewport and current span: zoom and pan, the next span or row, along
// an arrow; lanes collapse, are pinned and move, each by one new arrangement of the viewport. Knows no widget. Does
// nothing while there is no trace or no such lane.
#pragma once

#include <vector>

#include "ui/look/theme.h"
#include "ui/timeline/view/timeline_focus.h"
#include "ui/timeline/view/timeline_viewport.h"

namespace lanelab {

/// What a key or a notch of the vertical bar scrolls, in pixels.
inline constexpr int kScrollStep = 5 * look::kGrid;

class TimelineMoves {
 public:
  /// All must outlive it.
  TimelineMoves(const TimelineContent& content, TimelineViewport& viewport, TimelineFocus& focus)
      : m_content(content), m_viewport(viewport), m_focus(focus) {}

  void zoomBy(double factor);  ///< about the pointer where it is in the body, else the middle
  void panBy(double share);    ///< of what is seen
  void zoomToFocus();          ///< the selection, else the current span or gap
  void zoomTo(SpanRef ref);    ///< with a quarter of what is seen at each side, as the next one
  void zoomTo(const LaneGap& gap);
  void stepSpan(int direction);  ///< to the next or previous span of its row
  void stepGap(int direction);   ///< to the next or previous gap of its lane that is wide enough to be seen
  void stepRow(int direction);   ///< to the span or gap nearest in time of the like row of the lane below or above
  void scrollBy(double pixels) { m_viewport.scrollTo(m_viewport.scroll() + pixels); }
  void followArrow(int direction);
  void goTo(SpanRef ref);  ///< makes it the current one, and brings it into view
  void goTo(const LaneGap& gap);

  void toggleLegend(int number);  ///< shows or hides what that entry of the legend stands for
  void toggleCollapsed();         ///< the current lane, as the next three do
  void togglePinned();
  void moveLane(int direction);  ///< one place up (-1) or down (+1)
  void moveLaneBefore(std::optional<int> next);
  void toggleReplica();  ///< the current lane's
  void toggleReplica(int replica);
  void collapseAll(bool collapsed);
  void resetLanes() { m_viewport.rearrange(&RowArrangement::forgetLanes); }

 private:
  std::optional<SpanRef> neighbourInRow(int direction) const;
  std::optional<SpanRef> firstInSight(int direction) const;
  std::optional<SpanRef> inLikeRow(int direction) const;
  std::optional<LaneGap> gapBeyond(int lane, Nanoseconds from, int direction) const;
  std::optional<LaneGap> gapOfLaneBeside(int direction) const;
  std::vector<int> seenLanes() const;  ///< from top to bottom
  void followGap(int direction);
  void zoomTo(TimeRange range);

  const TimelineContent& m_content;
  TimelineViewport& m_viewport;
  TimelineFocus& m_focus;
};

}  // namespace lanelab
