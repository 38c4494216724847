// SPDX-License-Identifier: GPL-3.0-only
// The cost of recording as run.json tells it: { mode, cost_ratio, ci95, pairs, cpu_ratio, cpu_ci95, not_measured }.
#pragma once

#include "base/json_fields.h"
#include "engine/record/recording_cost.h"

namespace lanelab {

/// cost_ratio and ci95 are null and not_measured tells why, where it was not measured.
Json recordingToJson(const RecordingCost& cost);
RecordingCost readRecording(FieldErrors& errors, const Json& value, const std::string& path);

}  // namespace lanelab
