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
       {"1F1B",
        QT_TRANSLATE_NOOP("schedule",
                          "After a warm-up, forwards and backwards alternate: less memory than GPipe, equally idle")}},
      {ScheduleKind::InterleavedOneFOneB,
       {"Interleaved 1F1B",
        QT_TRANSLATE_NOOP("schedule", "1F1B with several stages per lane: less idle time, more transfers")}},
      {ScheduleKind::LoopedBfs,
       {"Looped BFS", QT_TRANSLATE_NOOP("schedule", "GPipe with several stages per lane, stage by stage")}},
      {ScheduleKind::ZbH1,
       {"ZB-H1",
        QT_TRANSLATE_NOOP("schedule", "1F1B with the weight part of each backward in its gaps; same memory as 1F1B")}},
      {ScheduleKind::ZbV,
       {"ZB-V", QT_TRANSLATE_NOOP("schedule", "Two stages per lane in a V, with weight parts in the gaps")}},
      {ScheduleKind::List,
       {QT_TRANSLATE_NOOP("schedule", "By stage times"),
        QT_TRANSLATE_NOOP("schedule", "Generated from stage times and a memory limit, for any placement")}},
      {ScheduleKind::Custom,
       {QT_TRANSLATE_NOOP("schedule", "Edited"), QT_TRANSLATE_NOOP("schedule", "The order in the Schedule pane")}}};
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
