// SPDX-License-Identifier: GPL-3.0-only
// The scroll bars and the overview of a timeline, and the area that they leave. The vertical bar is there only when
// lanes do not fit, the horizontal one only when not all of the time is seen, the overview only where lanes do not need
// its place.
#pragma once

#include <QRectF>

#include "ui/timeline/view/timeline_viewport.h"

class QScrollBar;
class QWidget;

namespace lanelab {

class TraceOverview;

class TimelineBars {
 public:
  /// `view` becomes the parent of them all. All must outlive it.
  TimelineBars(QWidget& view, const TimelineContent& content, TimelineViewport& viewport);

  /// Where lanes are painted: the widget without the bars and the overview.
  QRectF area() const;
  /// The content's trace was replaced, and the viewport knows it.
  void setTrace(const TraceChange& change);
  /// To be called when size, times or rows changed; limits how far the viewport is scrolled.
  void update();

 private:
  QRectF areaBeside(bool vertical_bar) const;
  bool hasRoomForOverview() const;
  void updateVertical();
  void updateHorizontal();
  void moveTo(int value);

  QWidget& m_view;
  const TimelineContent& m_content;
  TimelineViewport& m_viewport;
  QScrollBar* m_vertical;
  QScrollBar* m_horizontal;
  TraceOverview* m_overview;
};

}  // namespace lanelab
