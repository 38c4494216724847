// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/schedule_title.h"

#include <QCoreApplication>
#include <map>

namespace lanelab {
namespace {

struct Words {
  const char* title;
  const char* tip;
};

const std::map<ScheduleKind, Words>& titles() {
  static const std::map<ScheduleKind, Words> all = {
      {ScheduleKind::Gpipe, {"GPipe", QT_TRANSLATE_NOOP("schedule", "All forwards, then all backwards")}},
      {ScheduleKind::OneFOneB,
       {"1F1B", QT_TRANSLATE_NOOP(
                    "schedule",
                    "After a warm-up a forward and a backward in turn: less memory than GPipe, as much idle time")}},
      {ScheduleKind::InterleavedOneFOneB,
       {"Interleaved 1F1B",
        QT_TRANSLATE_NOOP("schedule", "1F1B over several stages a lane: less idle time, more transfers")}},
      {ScheduleKind::LoopedBfs,
       {"Looped BFS", QT_TRANSLATE_NOOP("schedule", "GPipe over several stages a lane, stage by stage")}},
      {ScheduleKind::ZbH1,
       {"ZB-H1",
        QT_TRANSLATE_NOOP("schedule", "1F1B with weight parts of the backward in its gaps, at 1F1B's memory")}},
      {ScheduleKind::ZbV,
       {"ZB-V", QT_TRANSLATE_NOOP("schedule", "Two stages a lane in a V, weight parts in the gaps")}},
      {ScheduleKind::List,
       {QT_TRANSLATE_NOOP("schedule", "By stage times"),
        QT_TRANSLATE_NOOP("schedule", "Made for the stages' times and a memory limit, on any placement")}},
      {ScheduleKind::Custom,
       {QT_TRANSLATE_NOOP("schedule", "Edited"),
        QT_TRANSLATE_NOOP("schedule", "The order that stands in the pane Schedule")}}};
  return all;
}

}  // namespace

QString scheduleTitle(ScheduleKind schedule) {
  return QCoreApplication::translate("schedule", titles().at(schedule).title);
}

QString scheduleTip(ScheduleKind schedule) {
  return QCoreApplication::translate("schedule", titles().at(schedule).tip);
}

}  // namespace lanelab
