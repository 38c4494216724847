// SPDX-License-Identifier: GPL-3.0-only
// The menus of a right click on a timeline.
#pragma once

#include <QMenu>

#include "ui/timeline/view/timeline_focus.h"

namespace lanelab {

class TimelineView;

/// What can be done to the current lane and to all lanes, and which kinds of rows are shown.
void fillRowsMenu(QMenu& menu, TimelineView& view, const TimelineContent& content);

/// What can be done with the selection and the current span.
void fillSpanMenu(QMenu& menu, TimelineView& view, const TimelineContent& content, const TimelineFocus& focus);

}  // namespace lanelab
