// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/schedule_title.h"

#include <QCoreApplication>

#include "engine/schedule/schedule_title.h"

namespace lanelab {
namespace {

const char* tipOf(ScheduleKind schedule) {
  switch (schedule) {
    case ScheduleKind::Gpipe: return QT_TRANSLATE_NOOP("schedule", "All forwards, then all backwards");
    case ScheduleKind::OneFOneB:
      return QT_TRANSLATE_NOOP(
          "schedule", "After a warm-up, forwards and backwards alternate: less memory than GPipe, equally idle");
    case ScheduleKind::InterleavedOneFOneB:
      return QT_TRANSLATE_NOOP("schedule", "1F1B with several stages per lane: less idle time, more transfers");
    case ScheduleKind::LoopedBfs:
      return QT_TRANSLATE_NOOP("schedule", "GPipe with several stages per lane, stage by stage");
    case ScheduleKind::ZbH1:
      return QT_TRANSLATE_NOOP("schedule",
                               "1F1B with the weight part of each backward in its gaps; same memory as 1F1B");
    case ScheduleKind::ZbV:
      return QT_TRANSLATE_NOOP("schedule", "Two stages per lane in a V, with weight parts in the gaps");
    case ScheduleKind::List:
      return QT_TRANSLATE_NOOP("schedule", "Generated from stage times and a memory limit, for any placement");
    case ScheduleKind::Custom: return QT_TRANSLATE_NOOP("schedule", "The order in the Schedule pane");
  }
  return "";
}

}  // namespace

QString scheduleTitle(ScheduleKind schedule) {
  return QCoreApplication::translate("schedule", titleOf(schedule).data());
}

QString scheduleTip(ScheduleKind schedule) { return QCoreApplication::translate("schedule", tipOf(schedule)); }

}  // namespace lanelab
