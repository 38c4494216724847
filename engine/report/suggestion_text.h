// SPDX-License-Identifier: GPL-3.0-only
// What came of suggestions: predicted beside measured.
#pragma once

#include <string>
#include <vector>

#include "engine/record/run_record.h"
#include "engine/report/run_note.h"

namespace lanelab {

/// A sentence for each variant of the run that was made to be faster than another of it, once both have repeats:
/// "Pipeline suggested (Move layer3.0 to lane 0): predicted 11 % faster than Pipeline, measured 9 % faster (95 % CI 7
/// to 12 %, n = 10/10)." Without 5 repeats each it says so instead.
std::vector<RunNote> suggestionNotes(const RunRecord& record);

}  // namespace lanelab
