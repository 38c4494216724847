// SPDX-License-Identifier: GPL-3.0-only
// What the mouse does in the lanes' headers: a click on a triangle, a pin or a replica's band, and a drag that moves a
// lane.
#pragma once

#include <QPointF>

#include "ui/timeline/paint/layers.h"
#include "ui/timeline/view/lane_actions.h"
#include "ui/timeline/view/timeline_hits.h"

class QWidget;

namespace lanelab {

/// From here on a press that moves is a drag, in pixels.
inline constexpr double kDragFrom = 4;

class HeaderGestures {
 public:
  /// `view` shows the cursor and is repainted while a lane is dragged. All must outlive it.
  HeaderGestures(QWidget& view, const TimelineViewport& viewport, TimelineFocus& focus, LaneActions& lanes)
      : m_view(view), m_viewport(viewport), m_focus(focus), m_lanes(lanes) {}

  /// False where there is no header. A click has its effect at once; a header is held until release() or drop().
  bool press(const TimelineHits& hits, QPointF point);
  bool holds() const { return m_state != State::None; }
  void drag(QPointF point);
  void release(QPointF point);  ///< a lane that is moving is dropped
  void letGo() { m_state = State::None; }
  bool cancel();  ///< the lane stays where it was; false where none is moving

  /// What of the headers changes with the pointer, for painting.
  HeaderMarks marks(const TimelineLayout& placed) const;

 private:
  enum class State { None, Pressed, Moving };

  QWidget& m_view;
  const TimelineViewport& m_viewport;
  TimelineFocus& m_focus;
  LaneActions& m_lanes;
  State m_state = State::None;
  double m_pressed_y = 0;
};

}  // namespace lanelab
