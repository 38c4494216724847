// SPDX-License-Identifier: GPL-3.0-only
// Several runs as one record, so that variants of different runs can be compared with each other.
#pragma once

#include <string>
#include <vector>

#include "engine/record/run_record.h"

namespace lanelab {

struct LabelledRun {
  std::string label;  ///< put before each variant's name: "first/Pipeline"
  RunRecord record;
};

/// One run keeps its names; with several every variant is "label/variant". `baseline` is such a name, or a variant's
/// own name where only one run has it; empty: the first run's own. Errors (BadInput): no runs, an unknown or ambiguous
/// baseline. `warnings` gets a sentence where runs did different work a repeat or did not end.
Result<RunRecord> combineRuns(std::vector<LabelledRun> runs, const std::string& baseline,
                              std::vector<std::string>& warnings);

}  // namespace lanelab
