// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/rank_clock_text.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {

std::string rankClockSentence(const RunRecord& record) {
  std::vector<RankClock> clocks;
  for (const VariantRecord& variant : record.variants) keepClocks(clocks, variant.rank_clocks);
  if (clocks.empty()) return {};
  Nanoseconds residual = 0;
  for (const RankClock& clock : clocks) residual = std::max(residual, clock.residual);
  return "The lanes of " + std::to_string(clocks.size() + 1) +
         " processes lie on one timeline; their clocks agree within " +
         formatNumber(static_cast<double>(residual) * 1e-3) + " us.";
}

}  // namespace lanelab
