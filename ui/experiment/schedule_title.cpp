// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/schedule_title.h"

#include <QCoreApplication>
#include <string>

namespace lanelab {
namespace {

QString translated(std::string_view words) {
  return QCoreApplication::translate("schedule", std::string(words).c_str());
}

}  // namespace

QString scheduleTitle(ScheduleKind schedule) { return translated(titleOf(schedule)); }

QString scheduleTip(ScheduleKind schedule) { return translated(rowOf(schedule).tip); }

}  // namespace lanelab
