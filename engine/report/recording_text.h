// SPDX-License-Identifier: GPL-3.0-only
// What recording costs, in sentences.
#pragma once

#include <string>
#include <vector>

#include "engine/record/run_record.h"
#include "engine/report/run_notes.h"

namespace lanelab {

/// "0.4 % of a step (95 % CI -0.2 to 0.9 %, 8 pairs, measured)", or "not measured: ", why, and what would measure it.
std::string recordingCostText(const RecordingCost& cost);

/// A sentence for the variants where it was measured, and one for those where it was not, by reason; nothing with
/// record off.
std::vector<RunNote> recordingNotes(const RunRecord& record);

}  // namespace lanelab
