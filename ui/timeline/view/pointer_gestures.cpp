// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/pointer_gestures.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

constexpr double kWheelZoom = 1.2;  // per notch of 120
constexpr double kWheelPan = 0.15;  // of what is seen, per notch

}  // namespace

PointerGestures::PointerGestures(QWidget& view, const TimelineContent& content, TimelineViewport& viewport,
                                 TimelineFocus& focus, TimelineMoves& moves, HeaderGestures& headers)
    : m_view(view), m_content(content), m_viewport(viewport), m_focus(focus), m_moves(moves), m_headers(headers) {}

bool PointerGestures::turnWheel(const QWheelEvent& event) {
  if (m_content.empty()) return false;
  const QPointF at = event.position();
  const QPoint delta = event.angleDelta();
  if (at.x() < m_viewport.layout().body.left() && delta.y() != 0) {
    m_moves.scrollBy(-delta.y() / 4.0);
  } else if (delta.x() != 0 || event.modifiers() & Qt::ShiftModifier) {
    m_moves.panBy(-kWheelPan * (delta.x() != 0 ? delta.x() : delta.y()) / 120);
  } else if (delta.y() != 0) {
    m_focus.setPointer(at);
    m_moves.zoomBy(std::pow(kWheelZoom, -delta.y() / 120.0));
  }
  m_focus.setPointer(at);
  m_focus.setHovered(hits().span(at));
  return true;
}

void PointerGestures::press(const QMouseEvent& event) {
  if (m_content.empty()) return;
  const bool left = event.button() == Qt::LeftButton;
  const bool panning = event.button() == Qt::MiddleButton || (left && m_space_down);
  if (left && !panning && m_headers.press(hits(), event.position())) {
    if (m_headers.holds()) m_drag = Drag::None;
  } else if (left || panning) {
    pressBody(event, panning);
  }
}

void PointerGestures::pressBody(const QMouseEvent& event, bool panning) {
  const TimelineLayout placed = m_viewport.layout();
  if (event.position().x() < placed.body.left()) return;
  m_headers.letGo();
  m_drag = panning ? Drag::Panning : Drag::Pressed;
  m_pressed_at = event.position();
  m_pressed_range = m_viewport.visible();
  m_pressed_time = placed.scale(m_pressed_range).time(m_pressed_at.x());
  m_selection_before = m_focus.selection();
  if (panning) m_view.setCursor(Qt::ClosedHandCursor);
}

void PointerGestures::move(QPointF point) {
  if (m_content.empty()) return;
  const TimelineHits now = hits();
  m_focus.setPointer(point);
  m_focus.hoverLane(now.header(point));
  if (m_headers.holds()) return m_headers.drag(point);
  if (m_drag == Drag::Pressed && std::abs(point.x() - m_pressed_at.x()) >= kDragFrom) m_drag = Drag::Selecting;
  if (m_drag == Drag::Selecting)
    dragSelection(point);
  else if (m_drag == Drag::Panning)
    dragTime(point);
  else
    hover(now, point);
}

void PointerGestures::dragSelection(QPointF point) {
  const TimelineLayout placed = m_viewport.layout();
  const double x = std::clamp(point.x(), placed.body.left(), placed.body.right());
  const Nanoseconds now = placed.scale(m_viewport.visible()).time(x);
  m_focus.setHovered({});
  m_focus.setSelection(TimeRange{std::min(now, m_pressed_time), std::max(now, m_pressed_time)});
}

void PointerGestures::dragTime(QPointF point) {
  const double moved = (m_pressed_at.x() - point.x()) * m_viewport.scale().nanosecondsPerPixel();
  const Nanoseconds start = m_pressed_range.start + std::llround(moved);
  m_viewport.navigate([start](Navigation& navigation) { navigation.moveTo(start); });
}

void PointerGestures::hover(const TimelineHits& hits, QPointF point) {
  m_focus.setHovered(hits.span(point));
  m_focus.reportCounter(hits.counterSentence(point));
}

void PointerGestures::release(const QMouseEvent& event) {
  if (m_drag == Drag::Pressed && event.button() == Qt::LeftButton) {
    m_focus.setSelection({});
    m_focus.setCurrent(hits().span(event.position()));
  }
  m_headers.release(event.position());
  m_drag = Drag::None;
  if (!m_space_down) m_view.unsetCursor();
}

void PointerGestures::doubleClick(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || m_content.empty()) return;
  const QPointF at = event.position();
  const TimelineHits now = hits();
  if (m_headers.press(now, at)) return;  // two quick clicks on a triangle are two clicks
  if (const TimelineBookmark* const bookmark = now.bookmark(at)) {
    m_focus.setSelection(bookmark->range);
    return m_moves.zoomToFocus();
  }
  const Nanoseconds time = m_viewport.scale().time(at.x());
  const auto& selection = m_focus.selection();
  if (const auto span = now.span(at)) {
    m_focus.setCurrent(span);
    m_moves.zoomTo(*span);
  } else if (selection && selection->start <= time && time < selection->end) {
    m_moves.zoomToFocus();
  }
}

void PointerGestures::leave() {
  m_focus.setPointer({});
  m_focus.hoverLane({});
  m_focus.setHovered({});
  m_focus.reportCounter({});
}

void PointerGestures::holdSpace() {
  m_space_down = true;
  m_view.setCursor(Qt::OpenHandCursor);
}

void PointerGestures::releaseSpace() {
  m_space_down = false;
  if (m_drag == Drag::None && !m_headers.holds()) m_view.unsetCursor();
}

bool PointerGestures::cancel() {
  if (m_drag != Drag::Selecting) return m_headers.cancel();
  m_drag = Drag::None;
  m_focus.setSelection(m_selection_before);
  return true;
}

}  // namespace lanelab
