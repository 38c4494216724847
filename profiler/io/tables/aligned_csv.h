// SPDX-License-Identifier: GPL-3.0-only
// The cells of two aligned runs as a table.
#pragma once

#include <string>

#include "profiler/analysis/aligned_runs.h"

namespace lanelab {

/// step,stage,phase,micro_batch,a_us,b_us,difference_us,b_later_by_us; one row a cell that both runs have, rows end
/// with CR LF (RFC 4180).
std::string alignedCsv(const AlignedRuns& runs);

}  // namespace lanelab
