// SPDX-License-Identifier: GPL-3.0-only
// The exact partition where lanes hold several stages: branch and bound over the cuts, from the first to the last.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/placement/partition.h"

namespace lanelab {

struct InterleavedCuts {
  std::vector<BlockId> cuts;  ///< empty with `found` false when no partition fits, or none was found before the end
  bool found = false;
  bool proven = false;  ///< the search ended by itself
};

/// Of a checked problem. Looks at no more than `most_nodes` stage ends.
InterleavedCuts cutInterleaved(const PartitionProblem& problem, std::int64_t most_nodes);

}  // namespace lanelab
