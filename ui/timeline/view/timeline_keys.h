// SPDX-License-Identifier: GPL-3.0-only
// Which key does what in a timeline; timeline_view.h lists them.
#pragma once

#include <QKeyEvent>

#include "ui/timeline/view/pointer_gestures.h"

namespace lanelab {

class TimelineView;

/// Whether it is a key that the timeline takes before any shortcut of the window does.
bool isTimelineKey(const QKeyEvent& event);

class TimelineKeys {
 public:
  /// All must outlive it.
  TimelineKeys(TimelineView& view, TimelineMoves& moves, TimelineFocus& focus, PointerGestures& pointer)
      : m_view(view), m_moves(moves), m_focus(focus), m_pointer(pointer) {}

  /// A timeline key, while there is a trace.
  void press(const QKeyEvent& event);

 private:
  bool moveInTime(const QKeyEvent& event);
  bool moveToSpan(const QKeyEvent& event);
  bool changeLanes(const QKeyEvent& event);
  void escape();

  TimelineView& m_view;
  TimelineMoves& m_moves;
  TimelineFocus& m_focus;
  PointerGestures& m_pointer;
};

}  // namespace lanelab
