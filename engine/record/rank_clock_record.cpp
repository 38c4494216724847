// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/rank_clock_record.h"

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

}  // namespace lanelab
