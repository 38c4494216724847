// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/gaps_csv.h"

#include <algorithm>
#include <cstdio>

#include "base/csv.h"
#include "profiler/io/written/json_text.h"

namespace lanelab {

namespace {

std::string_view laneName(const Trace& trace, int lane) {
  const auto index = static_cast<std::size_t>(lane);
  return lane >= 0 && index < trace.lanes.size() ? std::string_view(trace.lanes[index].name) : std::string_view();
}

/// Six decimals, rounded down from whole nanoseconds; empty when there is no window to share.
std::string share(Nanoseconds part, Nanoseconds whole) {
  if (whole <= 0) return {};
  const auto millionths =
      static_cast<long long>(static_cast<long double>(part) * 1'000'000 / static_cast<long double>(whole));
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%06lld", millionths / 1'000'000, millionths % 1'000'000);
  return text;
}

}  // namespace

std::string idleTableCsv(const Trace& trace, const std::vector<LaneIdle>& idle) {
  std::string csv;
  CsvTable table(csv, "lane,name,window_us,busy_us,idle_us,busy_share");
  for (const LaneIdle& lane : idle) {
    table.integer(lane.lane).text(laneName(trace, lane.lane));
    for (const Nanoseconds time : {lane.window, lane.busy, lane.idle}) appendMicroseconds(table.cell(), time);
    table.number(share(lane.busy, lane.window)).endRow();
  }
  return csv;
}

std::string gapTableCsv(const Trace& trace, const std::vector<LaneIdle>& idle) {
  struct Row {
    int lane;
    const Gap* gap;
  };
  std::vector<Row> rows;
  for (const LaneIdle& lane : idle)
    for (const Gap& gap : lane.gaps) rows.push_back({lane.lane, &gap});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.gap->range.length() > b.gap->range.length(); });

  const Nanoseconds base = trace.range().start;
  std::string csv;
  CsvTable table(csv, "lane,name,step,before,start_us,duration_us");
  for (const Row& row : rows) {
    table.integer(row.lane).text(laneName(trace, row.lane)).integer(row.gap->step).text(row.gap->before);
    appendMicroseconds(table.cell(), row.gap->range.start - base);
    appendMicroseconds(table.cell(), row.gap->range.length());
    table.endRow();
  }
  return csv;
}

std::string causeTableCsv(const Trace& trace, const IdleCauses& causes, Nanoseconds axis) {
  std::string columns = "lane,name,step,before,start_us,duration_us,cause";
  for (std::size_t i = 0; i < cause_count; ++i) columns += ',' + std::string(toString(static_cast<Cause>(i))) + "_us";
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
