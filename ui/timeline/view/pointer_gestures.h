// SPDX-License-Identifier: GPL-3.0-only
// What the mouse does in a timeline: wheel, clicks, also on the triangles and pins of headers, and drags that select a
// range, pan, or move a lane by its header. What it does with Alt is that of SpanPulling.
#pragma once

#include <QPointF>
#include <optional>

#include "ui/look/wheel.h"
#include "ui/timeline/paint/layers.h"
#include "ui/timeline/view/span_pulling.h"
#include "ui/timeline/view/timeline_hits.h"
#include "ui/timeline/view/timeline_moves.h"

class QMouseEvent;
class QWheelEvent;

namespace lanelab {

class PointerGestures {
 public:
  /// `view` shows the cursor and is repainted while a lane is dragged. All must outlive it.
  PointerGestures(QWidget& view, const TimelineContent& content, TimelineViewport& viewport, TimelineFocus& focus,
                  TimelineMoves& moves, SpanPulling& pulling);

  void setWheel(look::WheelUse use) { m_wheel = use; }
  look::WheelUse wheel() const { return m_wheel; }
  bool turnWheel(const QWheelEvent& event);  ///< false while there is nothing to turn
  void press(const QMouseEvent& event);
  void move(QPointF point, Qt::KeyboardModifiers held);
  void release(const QMouseEvent& event);
  void doubleClick(const QMouseEvent& event);
  void choose(QPointF point);  ///< the span or gap there, or nothing
  void leave();
  void holdSpace();  ///< so that dragging pans
  void releaseSpace();
  void forgetSpace() { m_space_down = false; }
  void holdAlt(bool held);  ///< while the pointer rests
  bool cancel();            ///< the drag in progress, with all as it was before; false if there is none

  TimelineHits hits() const { return {m_content, m_viewport}; }
  /// What of the headers changes with the pointer, for painting.
  HeaderMarks headerMarks(const TimelineLayout& placed) const;

 private:
  enum class Drag { None, Pressed, Selecting, Panning, PressedHeader, MovingLane };
  bool holdsHeader() const { return m_drag == Drag::PressedHeader || m_drag == Drag::MovingLane; }
  bool pressHeader(const TimelineHits& hits, QPointF point);  ///< false if there is no header
  bool pressLegend(QPointF point);                            ///< false if there is nothing to show or hide
  void pressBody(const QMouseEvent& event, bool panning);
  void dragHeader(QPointF point);
  void dragSelection(QPointF point);
  void dragTime(QPointF point);
  void hover(const TimelineHits& hits, QPointF point);

  QWidget& m_view;
  const TimelineContent& m_content;
  TimelineViewport& m_viewport;
  TimelineFocus& m_focus;
  TimelineMoves& m_moves;
  SpanPulling& m_pulling;
  Drag m_drag = Drag::None;
  QPointF m_pressed_at;
  Nanoseconds m_pressed_time = 0;
  TimeRange m_pressed_range;
  std::optional<TimeRange> m_selection_before;
  bool m_space_down = false;
  look::WheelUse m_wheel = look::WheelUse::Zooms;
};

}  // namespace lanelab
