// SPDX-License-Identifier: GPL-3.0-only
// Parts of run.json that the command line prints, too.
#pragma once

#include "base/json_text.h"
#include "engine/memory/stage_memory.h"
#include "engine/record/recording_cost.h"

namespace lanelab {

inline Json numberOrNull(double value, bool known) { return known ? Json(value) : Json(); }

/// [low, high], or null.
Json intervalToJson(const std::optional<Interval>& interval);

/// The bytes of each part.
Json memoryToJson(const MemoryParts& parts);

/// { mode, cost_ratio, ci95, pairs, cpu_ratio, cpu_ci95, not_measured }; cost_ratio and ci95 are null and not_measured
/// tells why if it was not measured.
Json recordingToJson(const RecordingCost& cost);

}  // namespace lanelab
