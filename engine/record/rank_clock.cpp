// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/rank_clock.h"

#include <algorithm>

namespace lanelab {

void keepClocks(std::vector<RankClock>& kept, const std::vector<RankClock>& newer) {
  for (const RankClock& clock : newer) {
    const auto known = std::ranges::find(kept, clock.rank, &RankClock::rank);
    if (known == kept.end())
      kept.push_back(clock);
    else
      *known = {clock.rank, clock.offset, std::max(known->residual, clock.residual)};
  }
}

}  // namespace lanelab
