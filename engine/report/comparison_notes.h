// SPDX-License-Identifier: GPL-3.0-only
// What a reader of a comparison's figures must know besides.
#pragma once

#include <vector>

#include "engine/record/run_record.h"
#include "engine/report/run_note.h"

namespace lanelab {

/// Variants that do not train in plain fp32.
std::vector<RunNote> modesNotes(const RunRecord& record);

/// Outliers, wide spreads, too few repeats, several comparisons at once.
std::vector<RunNote> statisticsNotes(const RunRecord& record);

}  // namespace lanelab
