// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/causes_json.h"
#include "base/json_string.h"

#include <array>
#include <charconv>
#include <string_view>

#include "profiler/analysis/bubble.h"
#include "profiler/io/written/number_text.h"

namespace lanelab {

namespace {

void appendKey(std::string& out, std::string_view key) {
  out += '"';
  out += key;
  out += "\": ";
}

void appendTime(std::string& out, std::string_view key, Nanoseconds time) {
  appendKey(out, key);
  appendMicroseconds(out, time);
}

void appendShare(std::string& out, std::string_view key, double value) {
  appendKey(out, key);
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  out.append(digits.data(), end.ptr);
}

void appendCauses(std::string& out, const CauseTimes& causes, bool all) {
  appendKey(out, "causes");
  out += '{';
  bool first = true;
  for (std::size_t i = 0; i < kCauseCount; ++i) {
    if (!all && causes.times[i] == 0) continue;
    out += first ? " " : ", ";
    first = false;
    appendTime(out, toString(static_cast<Cause>(i)), causes.times[i]);
  }
  out += " }";
}

void appendGap(std::string& out, const Trace& trace, const LaneCauses& lane, const ExplainedGap& gap,
               Nanoseconds axis) {
  const CauseTimes causes = lane.causesOf(gap);
  out += "{ ";
  appendTime(out, "start_us", gap.range.start - axis);
  out += ", ";
  appendTime(out, "duration_us", gap.range.length());
  out += ", ";
  appendKey(out, "cause");
  appendJsonString(out, toString(causes.largest()));
  out += ", ";
  appendKey(out, "before");
  appendJsonString(out, beforeText(trace, gap));
  out += ", ";
  appendKey(out, "step");
  appendInteger(out, gap.step);
  out += ", ";
  appendCauses(out, causes, false);
  out += " }";
}

void appendLane(std::string& out, const Trace& trace, const LaneCauses& lane, Nanoseconds axis) {
  out += "    { ";
  appendKey(out, "lane");
  appendInteger(out, lane.lane);
  out += ", ";
  appendKey(out, "name");
  appendJsonString(out, lane.name);
  for (const auto& [key, time] :
       {std::pair("window_us", lane.window), std::pair("busy_us", lane.busy), std::pair("idle_us", lane.idle)}) {
    out += ", ";
    appendTime(out, key, time);
  }
  out += ",\n      ";
  appendCauses(out, lane.causes, true);
  out += ",\n      ";
  appendKey(out, "gaps");
  out += '[';
  for (std::size_t i = 0; i < lane.gaps.size(); ++i) {
    out += i == 0 ? "\n        " : ",\n        ";
    appendGap(out, trace, lane, lane.gaps[i], axis);
  }
  out += "] }";
}

}  // namespace

std::string causesJson(const Trace& trace, const IdleCauses& causes, Nanoseconds axis, std::string_view further) {
  std::string out = "{\n  ";
  appendKey(out, "lanes");
  out += '[';
  for (std::size_t i = 0; i < causes.lanes.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    appendLane(out, trace, causes.lanes[i], axis);
  }
  out += "],\n  ";
  const BubbleShares bubble = bubbleShares(causes);
  appendKey(out, "bubble");
  out += "{ ";
  appendShare(out, "of_total", bubble.of_total);
  out += ", ";
  appendShare(out, "of_ideal", bubble.of_ideal);
  out += " }";
  if (!further.empty()) out += ",\n  " + std::string(further);
  out += "\n}\n";
  return out;
}

}  // namespace lanelab
