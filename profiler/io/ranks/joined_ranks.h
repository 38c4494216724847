// SPDX-License-Identifier: GPL-3.0-only
// One trace of what the ranks of a job recorded, each into a file of its own: a group of lanes for each rank, on one
// clock.
#pragma once

#include <memory>
#include <vector>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

struct RankPart {
  std::shared_ptr<const ImportedTrace> trace;
  JoinedRank about;
};

/// Processes have the rank before their pid ("[rank 3] 4711") and in their names ("rank 3, GPU 0"), so that launches,
/// steps and correlation ids are never joined across ranks; arrows get new ids. A rank whose only process is one of
/// actions retains its pid, the rank. Micro-batches of replicas are numbered on (replica_numbers.h). Linear in the
/// spans; `parts` is not empty and in order of rank.
ImportedTrace joinRanks(const std::vector<RankPart>& parts);

}  // namespace lanelab
