// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/lane_actions.h"

#include <utility>

namespace lanelab {

void LaneActions::toggleCollapsed() {
  const auto lane = m_focus.currentLane();
  if (!lane) return;
  RowArrangement next = m_viewport.arrangement();
  next.collapse(*lane, !next.isCollapsed(*lane));
  m_viewport.arrange(std::move(next));
}

void LaneActions::togglePinned() {
  const auto lane = m_focus.currentLane();
  if (!lane) return;
  RowArrangement next = m_viewport.arrangement();
  next.pin(*lane, !next.isPinned(*lane));
  m_viewport.arrange(std::move(next));
}

void LaneActions::move(int direction) {
  const auto lane = m_focus.currentLane();
  RowArrangement next = m_viewport.arrangement();
  if (lane && next.moveBy(*lane, direction, m_content.lanes())) m_viewport.arrange(std::move(next));
}

void LaneActions::moveBefore(std::optional<int> next_lane) {
  const auto lane = m_focus.currentLane();
  if (!lane) return;
  RowArrangement next = m_viewport.arrangement();
  next.moveBefore(*lane, next_lane, m_content.lanes());
  m_viewport.arrange(std::move(next));
}

void LaneActions::toggleReplica() {
  const auto lane = m_focus.currentLane();
  if (lane && m_content.data()->replicaOf(*lane) >= 0) toggleReplica(m_content.data()->replicaOf(*lane));
}

void LaneActions::toggleReplica(int replica) {
  std::vector<int> lanes;
  for (int lane = 0; lane < m_content.lanes(); ++lane)
    if (m_content.data()->replicaOf(lane) == replica) lanes.push_back(lane);
  RowArrangement next = m_viewport.arrangement();
  next.toggleCollapse(lanes);
  m_viewport.arrange(std::move(next));
}

void LaneActions::collapseAll(bool collapsed) {
  if (m_content.empty()) return;
  RowArrangement next = m_viewport.arrangement();
  next.collapseAll(m_content.lanes(), collapsed);
  m_viewport.arrange(std::move(next));
}

void LaneActions::resetLanes() {
  RowArrangement next = m_viewport.arrangement();
  next.forgetLanes();
  m_viewport.arrange(std::move(next));
}

}  // namespace lanelab
