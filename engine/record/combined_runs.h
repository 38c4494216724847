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

/// Whether a run computes another model or other data than the first.
bool areUnlike(const std::vector<LabelledRun>& runs);

/// Whether runs of another model or other data may be combined all the same.
enum class UnlikeRuns { Refuse, Compare };

/// One run retains its names; with several every variant is "label/variant". `baseline` is such a name, or a variant's
/// own name if only one run has it; empty: the first run's own. Runs whose batch or length of a repeat differs
/// (comparability.h) are compared by the time per sample. Errors (BadInput): no runs, an unknown or ambiguous baseline,
/// another model or other data unless allowed. `warnings` gets a sentence for what differs and for runs that did not
/// end. Between runs there is a ratio but no word of which is faster (Ratio::Word::OtherRun); RunRecord::between_runs
/// says why, what differs in day, machine and program, and what runs with a common variant show all the same.
Result<RunRecord> combineRuns(std::vector<LabelledRun> runs, const std::string& baseline,
                              std::vector<std::string>& warnings, UnlikeRuns unlike = UnlikeRuns::Refuse);

}  // namespace lanelab
