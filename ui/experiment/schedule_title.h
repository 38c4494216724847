// SPDX-License-Identifier: GPL-3.0-only
// What the schedules are called where a user reads them.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string>

#include "engine/schedule/schedule_kind.h"

namespace lanelab {

/// "Interleaved 1F1B" for "interleaved-1f1b".
inline QString scheduleTitle(ScheduleKind schedule) {
  return QCoreApplication::translate("schedule", std::string(titleOf(schedule)).c_str());
}

/// What a schedule does and needs, in a sentence.
inline QString scheduleTip(ScheduleKind schedule) {
  return QCoreApplication::translate("schedule", std::string(rowOf(schedule).tip).c_str());
}

}  // namespace lanelab
