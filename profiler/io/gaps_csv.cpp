#include "profiler/io/gaps_csv.h"

#include <algorithm>
#include <cstdio>

#include "profiler/io/csv_text.h"
#include "profiler/io/json_text.h"

namespace lanelab {

namespace {

std::string laneName(const Trace& trace, int lane) {
  const auto index = static_cast<std::size_t>(lane);
  return lane >= 0 && index < trace.lanes.size() ? csvField(trace.lanes[index].name) : std::string();
}

void appendTime(std::string& line, Nanoseconds time) {
  line += ',';
  appendMicroseconds(line, time);
}

/// Six decimals, rounded down from whole nanoseconds; empty when there is no window to share.
std::string share(Nanoseconds part, Nanoseconds whole) {
  if (whole <= 0) return {};
  const auto millionths = static_cast<long long>(static_cast<long double>(part) * 1'000'000 / static_cast<long double>(whole));
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%06lld", millionths / 1'000'000, millionths % 1'000'000);
  return text;
}

}  // namespace

std::string idleTableCsv(const Trace& trace, const std::vector<LaneIdle>& idle) {
  std::string table = "lane,name,window_us,busy_us,idle_us,busy_share\r\n";
  for (const LaneIdle& lane : idle) {
    table += std::to_string(lane.lane) + ',' + laneName(trace, lane.lane);
    appendTime(table, lane.window);
    appendTime(table, lane.busy);
    appendTime(table, lane.idle);
    table += ',' + share(lane.busy, lane.window) + "\r\n";
  }
  return table;
}

std::string gapTableCsv(const Trace& trace, const std::vector<LaneIdle>& idle) {
  struct Row {
    int lane;
    const Gap* gap;
  };
  std::vector<Row> rows;
  for (const LaneIdle& lane : idle)
    for (const Gap& gap : lane.gaps) rows.push_back({lane.lane, &gap});
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.gap->range.length() > b.gap->range.length(); });

  const Nanoseconds base = trace.range().start;
  std::string table = "lane,name,step,before,start_us,duration_us\r\n";
  for (const Row& row : rows) {
    table += std::to_string(row.lane) + ',' + laneName(trace, row.lane) + ',' + std::to_string(row.gap->step) + ',' + csvField(row.gap->before);
    appendTime(table, row.gap->range.start - base);
    appendTime(table, row.gap->range.length());
    table += "\r\n";
  }
  return table;
}

std::string causeTableCsv(const Trace& trace, const IdleCauses& causes, Nanoseconds axis) {
  std::string table = "lane,name,step,before,start_us,duration_us,cause";
  for (std::size_t i = 0; i < cause_count; ++i) table += ',' + std::string(toString(static_cast<Cause>(i))) + "_us";
  table += "\r\n";
  for (const GapPlace& place : longestGaps(causes)) {
    const LaneCauses& lane = *place.lane;
    const ExplainedGap& gap = *place.gap;
    const CauseTimes times = lane.causesOf(gap);
    table += std::to_string(lane.lane) + ',' + csvField(lane.name) + ',' + std::to_string(gap.step) + ',' + csvField(beforeText(trace, gap));
    appendTime(table, gap.range.start - axis);
    appendTime(table, gap.range.length());
    table += ',';
    table += toString(times.largest());
    for (const Nanoseconds time : times.times) appendTime(table, time);
    table += "\r\n";
  }
  return table;
}

}  // namespace lanelab
