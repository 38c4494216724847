// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/header_gestures.h"

#include <QWidget>
#include <cmath>
#include <utility>

namespace lanelab {
namespace {

/// Where a lane would go that is dropped at `y`: before the one whose upper half is there. Its own group ends where
/// pinned lanes do.
struct DropPlace {
  std::optional<int> next;
  double y = 0;
};

DropPlace dropPlace(const TimelineLayout& placed, int lane, double y) {
  const LaneBox* moved = placed.boxOfLane(lane);
  DropPlace place;
  const LaneBox* last = nullptr;
  for (const LaneBox& box : placed.lanes) {
    if (box.lane < 0 || !moved || box.pinned != moved->pinned) continue;
    if (y < box.rect.center().y()) return {box.lane, box.rect.top()};
    last = &box;
  }
  // At the end of its group: before what follows the group.
  for (const LaneBox& box : placed.lanes) {
    if (last && &box == last + 1 && box.lane >= 0) place.next = box.lane;
  }
  place.y = last ? last->rect.bottom() : placed.body.top();
  return place;
}

}  // namespace

bool HeaderGestures::press(const TimelineHits& hits, QPointF point) {
  if (const ReplicaBand* const band = hits.replica(point)) return m_lanes.toggleReplica(band->replica), true;
  const auto lane = hits.header(point);
  if (!lane) return false;
  const LaneBox& box = *hits.layout().boxOfLane(*lane);
  m_focus.chooseLane(lane);
  if (triangleOf(box).contains(point)) {
    m_lanes.toggleCollapsed();
  } else if (pinOf(box).contains(point)) {
    m_lanes.togglePinned();
  } else {
    m_state = State::Pressed;
    m_pressed_y = point.y();
  }
  return true;
}

void HeaderGestures::drag(QPointF point) {
  if (m_state == State::Pressed && std::abs(point.y() - m_pressed_y) >= kDragFrom) {
    m_state = State::Moving;
    m_view.setCursor(Qt::ClosedHandCursor);
  }
  m_view.update();
}

void HeaderGestures::release(QPointF point) {
  if (std::exchange(m_state, State::None) != State::Moving) return;
  m_view.unsetCursor();
  const auto lane = m_focus.currentLane();
  if (lane) m_lanes.moveBefore(dropPlace(m_viewport.layout(), *lane, point.y()).next);
  m_view.update();
}

bool HeaderGestures::cancel() {
  if (m_state != State::Moving) return false;
  m_state = State::None;
  m_view.unsetCursor();
  m_view.update();
  return true;
}

HeaderMarks HeaderGestures::marks(const TimelineLayout& placed) const {
  const auto lane = m_focus.currentLane();
  HeaderMarks header{true, m_focus.selectedBusy(), lane, m_focus.hoveredLane(), {}, {}};
  const auto& pointer = m_focus.pointer();
  if (pointer && placed.body.contains(*pointer)) header.time = placed.scale(m_viewport.visible()).time(pointer->x());
  if (m_state == State::Moving && pointer && lane) header.drop_line = dropPlace(placed, *lane, pointer->y()).y;
  return header;
}

}  // namespace lanelab
