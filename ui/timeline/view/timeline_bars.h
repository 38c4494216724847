// SPDX-License-Identifier: GPL-3.0-only
// The scroll bars of a timeline and the area that they leave. The vertical one is there only when lanes do not fit, the
// horizontal one only when not all of the time is seen.
#pragma once

#include <QRectF>

#include "ui/timeline/view/timeline_viewport.h"

class QScrollBar;
class QWidget;

namespace lanelab {

class TimelineBars {
 public:
  /// `view` becomes the bars' parent. All must outlive it.
  TimelineBars(QWidget& view, const TimelineContent& content, TimelineViewport& viewport);

  /// Where lanes are painted: the widget without the bars.
  QRectF area() const;
  /// To be called when size, times or rows changed; limits how far the viewport is scrolled.
  void update();

 private:
  QRectF areaBeside(bool vertical_bar) const;
  void updateVertical();
  void updateHorizontal();
  void moveTo(int value);

  QWidget& m_view;
  const TimelineContent& m_content;
  TimelineViewport& m_viewport;
  QScrollBar* m_vertical;
  QScrollBar* m_horizontal;
};

}  // namespace lanelab
