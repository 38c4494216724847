// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/lane_actions.h"

namespace lanelab {

void LaneActions::toggleCollapsed() {
  if (const auto lane = m_focus.currentLane())
    m_viewport.rearrange([&](RowArrangement& rows) { rows.collapse(*lane, !rows.isCollapsed(*lane)); });
}

void LaneActions::togglePinned() {
  if (const auto lane = m_focus.currentLane())
    m_viewport.rearrange([&](RowArrangement& rows) { rows.pin(*lane, !rows.isPinned(*lane)); });
}

void LaneActions::move(int direction) {
  if (const auto lane = m_focus.currentLane())
    m_viewport.rearrange([&](RowArrangement& rows) { rows.moveBy(*lane, direction, m_content.lanes()); });
}

void LaneActions::moveBefore(std::optional<int> next) {
  if (const auto lane = m_focus.currentLane())
    m_viewport.rearrange([&](RowArrangement& rows) { rows.moveBefore(*lane, next, m_content.lanes()); });
}

void LaneActions::toggleReplica() {
  const auto lane = m_focus.currentLane();
  if (lane && m_content.data()->replicaOf(*lane) >= 0) toggleReplica(m_content.data()->replicaOf(*lane));
}

void LaneActions::toggleReplica(int replica) {
  std::vector<int> lanes;
  for (int lane = 0; lane < m_content.lanes(); ++lane)
    if (m_content.data()->replicaOf(lane) == replica) lanes.push_back(lane);
  m_viewport.rearrange([&](RowArrangement& rows) { rows.toggleCollapse(lanes); });
}

void LaneActions::collapseAll(bool collapsed) {
  if (m_content.empty()) return;
  m_viewport.rearrange([&](RowArrangement& rows) { rows.collapseAll(m_content.lanes(), collapsed); });
}

void LaneActions::resetLanes() { m_viewport.rearrange(&RowArrangement::forgetLanes); }

}  // namespace lanelab
