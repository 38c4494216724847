// SPDX-License-Identifier: GPL-3.0-only
// Where a rank is among stages and replicas, as the process groups that a file lists say.
#pragma once

#include <vector>

#include "profiler/trace/process_group.h"

namespace lanelab {

struct RankPlace {
  int stage = 0;
  int replica = 0;
};

/// Its place in its pipeline group, and in its largest data group. Without a pipeline group the stage is the rank, or 0
/// where other groups show that there is no pipeline. Pure.
RankPlace placeOfRank(int rank, const std::vector<ProcessGroup>& groups);

}  // namespace lanelab
