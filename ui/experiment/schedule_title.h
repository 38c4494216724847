// SPDX-License-Identifier: GPL-3.0-only
// What the schedules are called where a user reads them.
#pragma once

#include <QString>

#include "engine/schedule/schedule_kind.h"

namespace lanelab {

/// "Interleaved 1F1B" for "interleaved-1f1b".
QString scheduleTitle(ScheduleKind schedule);

/// What a schedule does and needs, in a sentence.
QString scheduleTip(ScheduleKind schedule);

}  // namespace lanelab
