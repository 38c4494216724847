// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/gaps_csv.h"

#include "base/csv.h"
#include "profiler/io/written/number_text.h"

namespace lanelab {

std::string gapTableCsv(const Trace& trace, const IdleCauses& causes, Nanoseconds axis) {
  std::string columns = "lane,name,step,before,start_us,duration_us,cause";
  for (std::size_t i = 0; i < kCauseCount; ++i) columns += ',' + std::string(toString(static_cast<Cause>(i))) + "_us";
  std::string csv;
  CsvTable table(csv, columns);
  for (const GapPlace& place : longestGaps(causes)) {
    const LaneCauses& lane = *place.lane;
    const ExplainedGap& gap = *place.gap;
    const CauseTimes times = lane.causesOf(gap);
    table.integer(lane.lane).text(lane.name).integer(gap.step).text(beforeText(trace, gap));
    appendMicroseconds(table.cell(), gap.range.start - axis);
    appendMicroseconds(table.cell(), gap.range.length());
    table.text(toString(times.largest()));
    for (const Nanoseconds time : times.times) appendMicroseconds(table.cell(), time);
    table.endRow();
  }
  return csv;
}

}  // namespace lanelab
