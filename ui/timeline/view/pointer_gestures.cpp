// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/pointer_gestures.h"

#include <QMouseEvent>
#include <QPointingDevice>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/timeline/layout/wheel_move.h"

namespace lanelab {
namespace {

constexpr double kNotch = 120;          // of angleDelta()
constexpr double kTouchpadPixels = 15;  // a notch, where the system counts none: X11
constexpr double kDragFrom = 4;         // pixels; from here on a press that moves is a drag

/// Pixels without a phase are those of a mouse, too, under X11, and of any size.
WheelTurn turnOf(const QWheelEvent& event, const QRectF& body) {
  WheelTurn turn;
  turn.notches = QPointF(event.angleDelta()) / kNotch;
  const bool phased = event.phase() != Qt::NoScrollPhase;
  turn.from_touchpad = phased || event.deviceType() == QInputDevice::DeviceType::TouchPad;
  turn.pixels = phased && event.hasPixelDelta() ? QPointF(event.pixelDelta()) : turn.notches * kTouchpadPixels;
  turn.held = event.modifiers();
  turn.over_headers = event.position().x() < body.left();
  turn.width = body.width();
  return turn;
}

/// Where a lane would go that is dropped at `y`: before the one whose upper half is there. Its own group ends where
/// pinned lanes do.
struct DropPlace {
  std::optional<int> next;
  double y = 0;
};

DropPlace dropPlace(const TimelineLayout& placed, int lane, double y) {
  const LaneBox* moved = placed.boxOfLane(lane);
  const LaneBox* last = nullptr;
  for (const LaneBox& box : placed.lanes) {
    if (box.lane < 0 || !moved || box.pinned != moved->pinned) continue;
    if (y < box.rect.center().y()) return {box.lane, box.rect.top()};
    last = &box;
  }
  if (!last) return {{}, placed.body.top()};
  // At the end of its group: before what follows the group.
  const bool followed = last != &placed.lanes.back() && last[1].lane >= 0;
  return {followed ? std::optional(last[1].lane) : std::nullopt, last->rect.bottom()};
}

}  // namespace

PointerGestures::PointerGestures(QWidget& view, const TimelineContent& content, TimelineViewport& viewport,
                                 TimelineFocus& focus, TimelineMoves& moves, SpanPulling& pulling)
    : m_view(view), m_content(content), m_viewport(viewport), m_focus(focus), m_moves(moves), m_pulling(pulling) {}

bool PointerGestures::turnWheel(const QWheelEvent& event) {
  if (m_content.empty()) return false;
  const QPointF at = event.position();
  const WheelMove wanted = wheelMove(turnOf(event, m_viewport.layout().body), m_wheel);
  m_focus.setPointer(at);
  if (wanted.zoom != 1) m_moves.zoomBy(wanted.zoom);
  if (wanted.pan != 0) m_moves.panBy(wanted.pan);
  if (wanted.scroll != 0) m_moves.scrollBy(wanted.scroll);
  m_focus.setHovered(hits().span(at));
  return true;
}

void PointerGestures::press(const QMouseEvent& event) {
  if (m_content.empty()) return;
  const bool left = event.button() == Qt::LeftButton;
  const bool panning = event.button() == Qt::MiddleButton || (left && m_space_down);
  if (left && !panning && (pressLegend(event.position()) || pressHeader(hits(), event.position()))) return;
  if (left && !panning && m_pulling.press(hits(), event.position(), event.modifiers())) return;
  if (left || panning) pressBody(event, panning);
}

bool PointerGestures::pressLegend(QPointF point) {
  const auto entry = hits().legendEntry(point);
  if (entry) m_moves.toggleLegend(entry->number);
  return entry.has_value();
}

/// A click on a triangle, a pin or a replica's band has its effect at once.
bool PointerGestures::pressHeader(const TimelineHits& hits, QPointF point) {
  if (const ReplicaBand* const band = hits.replica(point)) return m_moves.toggleReplica(band->replica), true;
  const auto lane = hits.header(point);
  if (!lane) return false;
  const LaneBox& box = *hits.layout().boxOfLane(*lane);
  m_focus.chooseLane(lane);
  if (triangleOf(box).contains(point)) {
    m_moves.toggleCollapsed();
  } else if (pinOf(box).contains(point)) {
    m_moves.togglePinned();
  } else {
    m_drag = Drag::PressedHeader;
    m_pressed_at = point;
  }
  return true;
}

void PointerGestures::pressBody(const QMouseEvent& event, bool panning) {
  const TimelineLayout placed = m_viewport.layout();
  if (event.position().x() < placed.body.left()) return;
  m_drag = panning ? Drag::Panning : Drag::Pressed;
  m_pressed_at = event.position();
  m_pressed_range = m_viewport.visible();
  m_pressed_time = placed.scale(m_pressed_range).time(m_pressed_at.x());
  m_selection_before = m_focus.selection();
  if (panning) m_view.setCursor(Qt::ClosedHandCursor);
}

void PointerGestures::move(QPointF point, Qt::KeyboardModifiers held) {
  if (m_content.empty()) return;
  const TimelineHits now = hits();
  m_focus.setPointer(point);
  m_focus.hoverLane(now.header(point));
  if (m_pulling.isPulling()) return m_pulling.pull(now, point, held);
  if (holdsHeader()) return dragHeader(point);
  if (m_drag == Drag::Pressed && std::abs(point.x() - m_pressed_at.x()) >= kDragFrom) m_drag = Drag::Selecting;
  if (m_drag == Drag::Selecting)
    dragSelection(point);
  else if (m_drag == Drag::Panning)
    dragTime(point);
  else
    hover(now, point);
  if (m_drag == Drag::None && !m_space_down) m_pulling.hover(now, point, held);
}

void PointerGestures::holdAlt(bool held) {
  const auto& pointer = m_focus.pointer();
  if (m_content.empty() || !pointer || m_pulling.isPulling() || m_drag != Drag::None) return;
  m_pulling.hover(hits(), *pointer, held ? Qt::AltModifier : Qt::NoModifier);
}

void PointerGestures::dragHeader(QPointF point) {
  if (m_drag == Drag::PressedHeader && std::abs(point.y() - m_pressed_at.y()) >= kDragFrom) {
    m_drag = Drag::MovingLane;
    m_view.setCursor(Qt::ClosedHandCursor);
  }
  m_view.update();
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
  const std::optional<SpanRef> span = hits.span(point);
  m_focus.setHovered(span, span ? std::nullopt : hits.gap(point));
  m_focus.reportPlace(hits.placeSentence(point));
}

void PointerGestures::choose(QPointF point) {
  const TimelineHits now = hits();
  if (const std::optional<SpanRef> span = now.span(point)) return m_focus.setCurrent(span);
  m_focus.setCurrentGap(now.gap(point));
}

void PointerGestures::release(const QMouseEvent& event) {
  if (m_pulling.isPulling()) return m_pulling.release();
  if (m_drag == Drag::Pressed && event.button() == Qt::LeftButton) {
    m_focus.setSelection({});
    choose(event.position());
  }
  if (std::exchange(m_drag, Drag::None) == Drag::MovingLane) {
    m_view.unsetCursor();
    if (const auto lane = m_focus.currentLane())
      m_moves.moveLaneBefore(dropPlace(m_viewport.layout(), *lane, event.position().y()).next);
    m_view.update();
  }
  if (!m_space_down) m_view.unsetCursor();
}

void PointerGestures::doubleClick(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton || m_content.empty()) return;
  const QPointF at = event.position();
  const TimelineHits now = hits();
  if (pressHeader(now, at)) return;  // two quick clicks on a triangle are two clicks
  if (const TimelineBookmark* const bookmark = now.bookmark(at)) {
    m_focus.setSelection(bookmark->range);
    return m_moves.zoomToFocus();
  }
  const Nanoseconds time = m_viewport.scale().time(at.x());
  const auto& selection = m_focus.selection();
  if (const auto span = now.span(at)) {
    m_focus.setCurrent(span);
    m_moves.zoomTo(*span);
  } else if (const auto gap = now.gap(at)) {
    m_moves.zoomTo(*gap);
  } else if (selection && selection->start <= time && time < selection->end) {
    m_moves.zoomToFocus();
  }
}

void PointerGestures::leave() {
  m_focus.setPointer({});
  m_focus.hoverLane({});
  m_focus.setHovered({});
  m_focus.reportPlace({});
}

void PointerGestures::holdSpace() {
  m_space_down = true;
  m_view.setCursor(Qt::OpenHandCursor);
}

void PointerGestures::releaseSpace() {
  m_space_down = false;
  if (m_drag == Drag::None) m_view.unsetCursor();
}

bool PointerGestures::cancel() {
  if (m_pulling.cancel()) return true;
  if (m_drag != Drag::Selecting && m_drag != Drag::MovingLane) return false;
  if (std::exchange(m_drag, Drag::None) == Drag::Selecting) return m_focus.setSelection(m_selection_before), true;
  m_view.unsetCursor();
  m_view.update();
  return true;
}

HeaderMarks PointerGestures::headerMarks(const TimelineLayout& placed) const {
  const auto lane = m_focus.currentLane();
  HeaderMarks header{true, m_focus.selectedBusy(), lane, m_focus.hoveredLane(), {}, {}};
  const auto& pointer = m_focus.pointer();
  if (pointer && placed.body.contains(*pointer)) header.time = placed.scale(m_viewport.visible()).time(pointer->x());
  if (m_drag == Drag::MovingLane && pointer && lane) header.drop_line = dropPlace(placed, *lane, pointer->y()).y;
  return header;
}

}  // namespace lanelab
