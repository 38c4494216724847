// SPDX-License-Identifier: GPL-3.0-only
// What the user does to lanes: collapse, pin, move, of the current lane, of a replica's, of all. Each is one new
// arrangement of the viewport. Knows no widget; does nothing where there is no such lane.
#pragma once

#include "ui/timeline/view/timeline_focus.h"
#include "ui/timeline/view/timeline_viewport.h"

namespace lanelab {

class LaneActions {
 public:
  /// All must outlive it.
  LaneActions(const TimelineContent& content, TimelineViewport& viewport, const TimelineFocus& focus)
      : m_content(content), m_viewport(viewport), m_focus(focus) {}

  void toggleCollapsed();
  void togglePinned();
  void move(int direction);  ///< one place up (-1) or down (+1)
  void moveBefore(std::optional<int> next);
  void toggleReplica();  ///< the current lane's
  void toggleReplica(int replica);
  void collapseAll(bool collapsed);
  void resetLanes();

 private:
  const TimelineContent& m_content;
  TimelineViewport& m_viewport;
  const TimelineFocus& m_focus;
};

}  // namespace lanelab
