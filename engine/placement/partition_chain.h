// SPDX-License-Identifier: GPL-3.0-only
// The exact partition where each lane has one stage: dynamic programming over how many stages hold how many blocks.
#pragma once

#include <optional>
#include <vector>

#include "engine/placement/partition.h"

namespace lanelab {

/// The first block of each next stage; nothing when no partition fits the lanes' memory. Of a checked problem whose
/// stages are all on lanes of their own.
std::optional<std::vector<BlockId>> cutChain(const PartitionProblem& problem);

}  // namespace lanelab
