// SPDX-License-Identifier: GPL-3.0-only
// What a run tells of its processes' clocks: in run.json, and as a sentence.
#pragma once

#include <string>

#include "base/json_fields.h"
#include "engine/record/run_record.h"

namespace lanelab {

Json rankClockToJson(const RankClock& clock);
RankClock readRankClock(FieldErrors& errors, const Json& value, const std::string& path);

/// Of all variants: "The lanes of 2 processes lie on one timeline; their clocks agree within 43 us." Empty for a run of
/// one process, or without traces.
std::string rankClockSentence(const RunRecord& record);

}  // namespace lanelab
