// SPDX-License-Identifier: GPL-3.0-only
// The list of runs and comparisons of runs as JSON, for scripts.
#pragma once

#include <string>
#include <vector>

#include "engine/library/run_difference.h"
#include "engine/library/run_entry.h"
#include "engine/library/run_groups.h"

namespace lanelab {

/// {"runs": [{"id", "folder", "name", "model", ..., "shown", "variants": [...]}]}; figures that are not known are null.
std::string runsJson(const std::vector<RunEntry>& runs);

/// {"group_by": "model", "groups": [{"value", "runs": [ids], "best_step_seconds", "best_images_per_second", "first",
/// "last"}]}; the value of runs without one is null.
std::string groupsJson(const std::vector<RunEntry>& runs, const std::vector<RunGroup>& groups, RunGrouping by);

std::string differenceJson(const RunDifference& difference);

}  // namespace lanelab
