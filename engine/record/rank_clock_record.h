// SPDX-License-Identifier: GPL-3.0-only
// The clocks of a run's processes, in run.json.
#pragma once

#include <string>

#include "base/json_fields.h"
#include "engine/record/rank_clock.h"

namespace lanelab {

Json rankClockToJson(const RankClock& clock);
RankClock readRankClock(FieldErrors& errors, const Json& value, const std::string& path);

}  // namespace lanelab
