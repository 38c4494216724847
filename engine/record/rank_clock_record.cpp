// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/rank_clock_record.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {

Json rankClockToJson(const RankClock& clock) {
  return Json{{"rank", clock.rank}, {"offset_ns", clock.offset}, {"clock_residual_ns", clock.residual}};
}

RankClock readRankClock(FieldErrors& errors, const Json& value, const std::string& path) {
  RankClock clock;
  ObjectReader reader(errors, value, path);
  reader.read("rank", clock.rank);
  reader.read("offset_ns", clock.offset);
  reader.read("clock_residual_ns", clock.residual);
  return clock;
}

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
