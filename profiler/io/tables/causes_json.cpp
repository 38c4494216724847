// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/causes_json.h"

#include "base/escaped_text.h"
#include "profiler/io/tables/gap_tables.h"
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

/// Only of a GPU a file says how long it communicated; elsewhere 0 would be a claim. Evaluations are mostly between
/// steps.
bool maySay(const LaneCauses& lane, Cause cause) {
  if (cause == Cause::Evaluation) return lane.causes[cause] > 0;
  return cause != Cause::Communication || lane.gpu;
}

/// Without work in the lane no cause has any of its time.
template <class Shown>
void appendCauses(std::string& out, const LaneCauses& lane, const CauseTimes& causes, const Shown& shown) {
  LineObject object(out);
  for (std::size_t i = 0; i < kCauseCount; ++i)
    if (shown(static_cast<Cause>(i)))
      object.time(toString(static_cast<Cause>(i)), lane.hasWork() ? causes.times[i] : Nanoseconds{0});
  if (!lane.hasWork()) object.time(kWithoutWorkWord, causes.total());
  object.close();
}

void appendGpu(LineObject& lane, const GpuTimes& gpu) {
  lane.time("communication_us", gpu.communication);
  lane.time("exposed_communication_us", gpu.exposed_communication);
  lane.time("exposed_memory_us", gpu.exposed_memory);
  lane.time("inactive_us", gpu.inactive);
  lane.time("outside_communication_us", gpu.outside_communication);
}

/// What times count from: the file's axis, and the begin of the trace.
struct Zeros {
  Nanoseconds axis;
  Nanoseconds begin;
};

void appendGap(std::string& out, const Trace& trace, const LaneCauses& lane, const ExplainedGap& gap, Zeros zeros) {
  const CauseTimes causes = lane.causesOf(gap);
  LineObject object(out);
  object.time("start_us", gap.range.start - zeros.axis);
  object.time("since_begin_us", gap.range.start - zeros.begin);
  object.time("duration_us", gap.range.length());
  appendJsonString(object.key("cause"), causeWord(lane, causes));
  appendJsonString(object.key("before"), beforeText(trace, gap));
  appendNumber(object.key("step"), gap.step);
  appendCauses(object.key("causes"), lane, causes, [&](Cause cause) { return lane.hasWork() && causes[cause] != 0; });
  object.close();
}

void appendLane(std::string& out, const Trace& trace, const LaneCauses& lane, Zeros zeros, bool imported) {
  constexpr std::string_view kNewLine = ",\n      ";
  LineObject object(out += "    ");
  appendNumber(object.key("lane"), lane.lane);
  appendJsonString(object.key("name"), lane.name);
  object.time("window_us", lane.window);
  object.time("busy_us", lane.busy);
  object.time("idle_us", lane.idle);
  if (imported) object.time("outside_us", lane.outside);
  if (lane.gpu) appendGpu(object, *lane.gpu);
  appendCauses(object.key("causes", kNewLine), lane, lane.causes, [&](Cause cause) { return maySay(lane, cause); });
  object.key("gaps", kNewLine) += '[';
  for (std::size_t i = 0; i < lane.gaps.size(); ++i)
    appendGap(out += i == 0 ? "\n        " : ",\n        ", trace, lane, lane.gaps[i], zeros);
  out += ']';
  object.close();
}

}  // namespace

std::string causesJson(const Trace& trace, const IdleCauses& causes, Nanoseconds axis, std::string_view further) {
  std::string out = "{\n  \"windows\": ";
  appendJsonString(out, causes.whole_trace ? std::string_view("trace") : toWord(causes.window_kind));
  out += ",\n  \"lanes\": [";
  const Zeros zeros{axis, trace.range().start};
  for (std::size_t i = 0; i < causes.lanes.size(); ++i)
    appendLane(out += i == 0 ? "\n" : ",\n", trace, causes.lanes[i], zeros, causes.work != IdleCauses::Work::Actions);
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
