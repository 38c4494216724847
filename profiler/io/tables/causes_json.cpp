// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/causes_json.h"

#include "profiler/io/tables/gap_tables.h"
#include "profiler/io/tables/line_object.h"

namespace lanelab {

namespace {

/// Only of a GPU a file says how long it communicated; elsewhere 0 would be a claim. Evaluations are mostly between
/// steps.
bool maySay(const LaneCauses& lane, Cause cause) {
  if (cause == Cause::Evaluation) return lane.causes[cause] > 0;
  return cause != Cause::Communication || lane.gpu || lane.causes[cause] > 0;
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

void putGap(LineObject& object, const Trace& trace, const LaneCauses& lane, const ExplainedGap& gap, Zeros zeros) {
  const CauseTimes causes = lane.causesOf(gap);
  object.time("start_us", gap.range.start - zeros.axis);
  object.time("since_begin_us", gap.range.start - zeros.begin);
  object.time("duration_us", gap.range.length());
  object.text("cause", causeWord(lane, causes));
  object.text("before", beforeText(trace, gap));
  object.number("step", gap.step);
  appendCauses(object.key("causes"), lane, causes, [&](Cause cause) { return lane.hasWork() && causes[cause] != 0; });
}

/// Without the quotes.
std::string escapedKey(std::string_view text) {
  std::string quoted;
  appendJsonString(quoted, text);
  return quoted.substr(1, quoted.size() - 2);
}

void putLane(LineObject& object, const Trace& trace, const LaneCauses& lane, Zeros zeros, bool imported) {
  constexpr std::string_view kNewLine = ",\n      ";
  object.number("lane", lane.lane);
  object.text("name", lane.name);
  object.time("window_us", lane.window);
  object.time("busy_us", lane.busy);
  object.time("idle_us", lane.idle);
  if (imported) object.time("outside_us", lane.outside);
  if (lane.gpu) appendGpu(object, *lane.gpu);
  appendCauses(object.key("causes", kNewLine), lane, lane.causes, [&](Cause cause) { return maySay(lane, cause); });
  if (!lane.groups.empty()) {
    LineObject groups(object.key("communication_by_group_us", kNewLine));
    for (const GroupTime& group : lane.groups) groups.time(escapedKey(group.title), group.time);
    groups.close();
  }
  appendLines(object.key("gaps", kNewLine), lane.gaps, "        ",
              [&](LineObject& gap, const ExplainedGap& of) { putGap(gap, trace, lane, of, zeros); });
}

}  // namespace

std::string causesJson(const Trace& trace, const IdleCauses& causes, Nanoseconds axis, std::string_view further) {
  std::string out = "{\n  \"windows\": ";
  appendJsonString(out, causes.whole_trace ? std::string_view("trace") : toWord(causes.window_kind));
  const Zeros zeros{axis, trace.range().start};
  appendLines(out += ",\n  \"lanes\": ", causes.lanes, "    ", [&](LineObject& object, const LaneCauses& lane) {
    putLane(object, trace, lane, zeros, causes.work != IdleCauses::Work::Actions);
  });
  const BubbleShares shares = bubbleShares(causes);
  LineObject bubble(out += ",\n  \"bubble\": ");
  bubble.number("of_total", shares.of_total);
  bubble.number("of_ideal", shares.of_ideal);
  bubble.close();
  if (!further.empty()) out += ",\n  " + std::string(further);
  out += "\n}\n";
  return out;
}

}  // namespace lanelab
