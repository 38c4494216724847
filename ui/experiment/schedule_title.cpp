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
    case ScheduleKind::InterleavedZb:
      return QT_TRANSLATE_NOOP("schedule", "Interleaved 1F1B with the weight part of each backward in its gaps");
    case ScheduleKind::ZbV:
      return QT_TRANSLATE_NOOP("schedule", "Two stages per lane in a V, with weight parts in the gaps");
    case ScheduleKind::VHalf:
      return QT_TRANSLATE_NOOP("schedule", "A V with about half the activations of 1F1B, and little idle time");
    case ScheduleKind::VMin:
      return QT_TRANSLATE_NOOP("schedule", "A V with about a third of the activations of 1F1B, and more idle time");
    case ScheduleKind::DualPipeV:
      return QT_TRANSLATE_NOOP("schedule",
                               "DeepSeek's order for two stages per lane in a V; more activations than 1F1B");
    case ScheduleKind::Hanayo:
      return QT_TRANSLATE_NOOP("schedule", "1F1B over stages that go down the lanes and back, in one or more waves");
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
