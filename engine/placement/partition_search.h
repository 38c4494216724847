// SPDX-License-Identifier: GPL-3.0-only
// The exact searches behind partition(), of checked problems: dynamic programming over how many stages hold how many
// blocks where each lane has one stage, else branch and bound over the cuts, from the first to the last.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/placement/partition.h"

namespace lanelab {

/// The first block of each next stage. Of a problem whose stages are all on lanes of their own.
std::vector<BlockId> cutChain(const PartitionProblem& problem);

struct InterleavedCuts {
  std::vector<BlockId> cuts;
  bool proven = false;  ///< the search ended by itself
};

/// Of lanes with several stages. Looks at no more than `most_nodes` stage ends.
InterleavedCuts cutInterleaved(const PartitionProblem& problem, std::int64_t most_nodes);

/// One way, from stage `stage`, which ends before block `end`; 0 where nothing is sent.
double transferAfter(const PartitionProblem& problem, std::size_t stage, std::size_t end);

}  // namespace lanelab
