// SPDX-License-Identifier: GPL-3.0-only
// How the clocks of a run's processes compare with that of rank 0.
#pragma once

#include <vector>

#include "profiler/trace/span.h"

namespace lanelab {

/// One process of those whose lanes a trace shows, rank 0 left out.
struct RankClock {
  int rank = 0;
  Nanoseconds offset = 0;    ///< that was added to its times at last; 0 where no difference was measured
  Nanoseconds residual = 0;  ///< as far as its times may be off
  bool operator==(const RankClock&) const = default;
};

/// Of each rank the newest offset and the largest residual.
void keepClocks(std::vector<RankClock>& kept, const std::vector<RankClock>& newer);

}  // namespace lanelab
