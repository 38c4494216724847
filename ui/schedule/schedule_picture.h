// SPDX-License-Identifier: GPL-3.0-only
// A schedule's grid as a figure, whole and at its natural size, as the view shows a part of it.
#pragma once

#include "ui/export/picture.h"
#include "ui/schedule/schedule_grid.h"
#include "ui/schedule/shown_schedule.h"

namespace lanelab {

/// Colour of a cell: the parts of a backward are paler than a whole one, the weight part more so.
QColor scheduleFill(ActionKind kind, const look::Palette& palette);
/// A cell in its colour; backward ones are hatched as in the timeline, so that they differ in grey print, too.
void fillScheduleCell(QPainter& painter, const QRectF& rect, ActionKind kind, const look::Palette& palette);

/// "8 columns in unit times: cpu:0 computes 6 actions, cpu:1 6 actions; lanes with work are idle 25 % of the time."
QString scheduleWords(const ShownSchedule& shown, const ScheduleGrid& grid);

Picture schedulePicture(const ShownSchedule& shown, const QString& title, const QString& caption);

}  // namespace lanelab
