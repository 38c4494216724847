// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_keys.h"

#include <algorithm>

#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

constexpr double kKeyZoom = 1.5;
constexpr double kKeyPan = 0.15;  // of what is seen

constexpr Qt::Key kWithControl[] = {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down};

constexpr Qt::Key kAlone[] = {
    Qt::Key_W,         Qt::Key_A,      Qt::Key_S,      Qt::Key_D,           Qt::Key_F,
    Qt::Key_C,         Qt::Key_P,      Qt::Key_Left,   Qt::Key_Right,       Qt::Key_Up,
    Qt::Key_Down,      Qt::Key_Plus,   Qt::Key_Equal,  Qt::Key_Minus,       Qt::Key_Home,
    Qt::Key_Period,    Qt::Key_Comma,  Qt::Key_Return, Qt::Key_Enter,       Qt::Key_Space,
    Qt::Key_Backspace, Qt::Key_Escape, Qt::Key_Slash,  Qt::Key_BracketLeft, Qt::Key_BracketRight};

bool withControl(const QKeyEvent& event) { return event.modifiers() & Qt::ControlModifier; }

}  // namespace

bool isTimelineKey(const QKeyEvent& event) {
  const auto isPressed = [&](Qt::Key key) { return event.key() == key; };
  if (event.modifiers() & (Qt::AltModifier | Qt::MetaModifier)) return false;
  return withControl(event) ? std::ranges::any_of(kWithControl, isPressed) : std::ranges::any_of(kAlone, isPressed);
}

void TimelineKeys::press(const QKeyEvent& event) {
  if (moveInTime(event) || moveToSpan(event) || changeLanes(event)) return;
  if (event.key() == Qt::Key_Slash)
    Q_EMIT m_view.findRequested();
  else if (event.key() == Qt::Key_Space)
    m_pointer.holdSpace();
  else
    escape();
}

bool TimelineKeys::moveInTime(const QKeyEvent& event) {
  const bool control = withControl(event);
  switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: return m_moves.zoomBy(1 / kKeyZoom), true;
    case Qt::Key_S:
    case Qt::Key_Minus: return m_moves.zoomBy(kKeyZoom), true;
    case Qt::Key_A: return m_moves.panBy(-kKeyPan), true;
    case Qt::Key_D: return m_moves.panBy(kKeyPan), true;
    case Qt::Key_Left: return control ? m_view.previousStep() : m_moves.panBy(-kKeyPan), true;
    case Qt::Key_Right: return control ? m_view.nextStep() : m_moves.panBy(kKeyPan), true;
    case Qt::Key_Home:
    case Qt::Key_F: return m_view.fit(), true;
    case Qt::Key_Return:
    case Qt::Key_Enter: return m_moves.zoomToFocus(), true;
    case Qt::Key_Backspace: return m_view.previousZoom(), true;
    default: return false;
  }
}

bool TimelineKeys::moveToSpan(const QKeyEvent& event) {
  switch (event.key()) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
      if (withControl(event)) return false;
      return m_moves.stepRow(event.key() == Qt::Key_Up ? -1 : +1), true;
    }
    case Qt::Key_Period: return m_moves.stepSpan(+1), true;
    case Qt::Key_Comma: return m_moves.stepSpan(-1), true;
    case Qt::Key_BracketLeft: return m_moves.followArrow(-1), true;
    case Qt::Key_BracketRight: return m_moves.followArrow(+1), true;
    default: return false;
  }
}

bool TimelineKeys::changeLanes(const QKeyEvent& event) {
  switch (event.key()) {
    case Qt::Key_Up: return m_view.moveLaneUp(), true;
    case Qt::Key_Down: return m_view.moveLaneDown(), true;
    case Qt::Key_C:
      return event.modifiers() & Qt::ShiftModifier ? m_view.collapseReplica() : m_view.collapseLane(), true;
    case Qt::Key_P: return m_view.pinLane(), true;
    default: return false;
  }
}

void TimelineKeys::escape() {
  if (m_pointer.cancel()) return;
  m_focus.setSelection({});
  m_focus.setCurrent({});
  m_focus.chooseLane({});
}

}  // namespace lanelab
