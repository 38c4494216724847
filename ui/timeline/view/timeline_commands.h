// SPDX-License-Identifier: GPL-3.0-only
// Which key does what in a timeline (timeline_view.h lists them), and the menus of a right click.
#pragma once

#include <QKeyEvent>
#include <QMenu>

#include "ui/timeline/view/pointer_gestures.h"

namespace lanelab {

class TimelineView;

/// Whether it is a key that the timeline takes before any shortcut of the window does.
bool isTimelineKey(const QKeyEvent& event);

/// What keys act on.
struct KeyTargets {
  TimelineView& view;
  TimelineMoves& moves;
  TimelineFocus& focus;
  PointerGestures& pointer;
  TimelineChanges& changes;
  SpanPulling& pulling;
};

/// Does what a timeline key means, while there is a trace. Screen readers hear what came of it.
void pressTimelineKey(const QKeyEvent& event, const KeyTargets& targets);

/// What can be done to the current lane and to all lanes, and which kinds of rows are shown.
void fillRowsMenu(QMenu& menu, TimelineView& view, const TimelineContent& content);

/// What can be done with the selection and the current span.
void fillSpanMenu(QMenu& menu, TimelineView& view, const TimelineContent& content, const TimelineFocus& focus);

}  // namespace lanelab
