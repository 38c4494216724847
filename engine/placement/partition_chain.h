// SPDX-License-Identifier: GPL-3.0-only
// The exact search behind partition() where each lane has one stage: dynamic programming over how many stages hold how
// many blocks. Of checked problems.
#pragma once

#include <vector>

#include "engine/placement/partition.h"

namespace lanelab {

/// The first block of each next stage. Of a problem whose stages are all on lanes of their own.
std::vector<BlockId> cutChain(const PartitionProblem& problem);

}  // namespace lanelab
