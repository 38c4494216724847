// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/causes_json.h"

#include "base/escaped_text.h"
#include "profiler/io/written/number_text.h"

namespace lanelab {

namespace {

/// An object on one line: { "a": 1, "b": 2 }.
class LineObject {
 public:
  explicit LineObject(std::string& out) : m_out(out) { m_out += '{'; }
  void close() { m_out += " }"; }
  /// The text, for the value of this key to be appended; the first key follows a space.
  std::string& key(std::string_view name, std::string_view separator = ", ") {
    m_out += m_first ? " " : separator;
    m_first = false;
    ((m_out += '"') += name) += "\": ";
    return m_out;
  }
  void time(std::string_view name, Nanoseconds time) { appendMicroseconds(key(name), time); }

 private:
  std::string& m_out;
  bool m_first = true;
};

void appendCauses(std::string& out, const CauseTimes& causes, bool all) {
  LineObject object(out);
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (all || causes.times[i] != 0) object.time(toString(static_cast<Cause>(i)), causes.times[i]);
  object.close();
}

void appendGap(std::string& out, const Trace& trace, const LaneCauses& lane, const ExplainedGap& gap,
               Nanoseconds axis) {
  const CauseTimes causes = lane.causesOf(gap);
  LineObject object(out);
  object.time("start_us", gap.range.start - axis);
  object.time("duration_us", gap.range.length());
  appendJsonString(object.key("cause"), toString(causes.largest()));
  appendJsonString(object.key("before"), beforeText(trace, gap));
  appendNumber(object.key("step"), gap.step);
  appendCauses(object.key("causes"), causes, false);
  object.close();
}

void appendLane(std::string& out, const Trace& trace, const LaneCauses& lane, Nanoseconds axis) {
  constexpr std::string_view kNewLine = ",\n      ";
  LineObject object(out += "    ");
  appendNumber(object.key("lane"), lane.lane);
  appendJsonString(object.key("name"), lane.name);
  object.time("window_us", lane.window);
  object.time("busy_us", lane.busy);
  object.time("idle_us", lane.idle);
  appendCauses(object.key("causes", kNewLine), lane.causes, true);
  object.key("gaps", kNewLine) += '[';
  for (std::size_t i = 0; i < lane.gaps.size(); ++i)
    appendGap(out += i == 0 ? "\n        " : ",\n        ", trace, lane, lane.gaps[i], axis);
  out += ']';
  object.close();
}

}  // namespace

std::string causesJson(const Trace& trace, const IdleCauses& causes, Nanoseconds axis, std::string_view further) {
  std::string out = "{\n  \"lanes\": [";
  for (std::size_t i = 0; i < causes.lanes.size(); ++i)
    appendLane(out += i == 0 ? "\n" : ",\n", trace, causes.lanes[i], axis);
  const BubbleShares shares = bubbleShares(causes);
  LineObject bubble(out += "],\n  \"bubble\": ");
  appendNumber(bubble.key("of_total"), shares.of_total);
  appendNumber(bubble.key("of_ideal"), shares.of_ideal);
  bubble.close();
  if (!further.empty()) out += ",\n  " + std::string(further);
  out += "\n}\n";
  return out;
}

}  // namespace lanelab
