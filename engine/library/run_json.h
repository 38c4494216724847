// SPDX-License-Identifier: GPL-3.0-only
// The list of runs and comparisons of runs as JSON, for scripts.
#pragma once

#include <string>
#include <vector>

#include "engine/library/run_difference.h"
#include "engine/library/run_entry.h"

namespace lanelab {

/// {"runs": [{"id", "folder", "name", "model", ..., "shown", "variants": [...]}]}; figures that are not known are null.
std::string runsJson(const std::vector<RunEntry>& runs);

std::string differenceJson(const RunDifference& difference);

}  // namespace lanelab
