// SPDX-License-Identifier: GPL-3.0-only
// Edits that put what a run measured into the open experiment.
#pragma once

#include <string>
#include <vector>

#include "engine/record/run_record.h"
#include "ui/experiment/experiment_document.h"

namespace lanelab {

/// Sets the split size of the pipeline that a sweep takes: the first one.
void useSplitSize(ExperimentDocument& document, int split_size);

/// What the run measured of the active variant's stages, as the schedule "list" takes it; empty if it measured other
/// stages or none. `record` may be null.
std::vector<std::string> measuredStageTimes(const ExperimentDocument& document, const RunRecord* record);
/// Makes the active variant's schedule from them; nothing happens without any.
void useMeasuredStageTimes(ExperimentDocument& document, const RunRecord* record);

}  // namespace lanelab
