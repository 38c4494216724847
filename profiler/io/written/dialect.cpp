// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/written/dialect.h"

#include "profiler/io/build/declared_trace.h"

namespace lanelab {

namespace {

/// A list in brackets of what `put` appends for each value.
template <class Values, class Put>
void appendList(std::string& out, const Values& values, const Put& put) {
  out += '[';
  bool first = true;
  for (const auto& value : values) {
    if (!first) out += ',';
    first = false;
    put(value);
  }
  out += ']';
}

void appendLane(std::string& out, const LaneInfo& info) {
  JsonObject lane(out);
  lane.text("name", info.name);
  lane.text("device", info.device);
  lane.close();
}

void appendTrack(std::string& out, const Track& what, const std::vector<int>& tids) {
  JsonObject track(out);
  track.number("lane", what.lane);
  track.text("kind", toString(what.kind));
  track.text("name", what.name);
  appendList(track.key("tids"), tids, [&](int tid) { appendNumber(out, tid); });
  track.close();
}

/// Counters that belong to no lane, though they lie on the first.
void appendRunCounters(JsonObject& about, const Trace& trace) {
  std::vector<std::string> names;
  for (const Counter& counter : trace.counters)
    if (counter.lane < 0) names.push_back(counter.name);
  if (names.empty()) return;
  std::string& out = about.key("run_counters");
  appendList(out, names, [&](const std::string& name) { appendJsonString(out, name); });
}

void writeAction(JsonObject& args, const Span& action, int lane, const LaneInfo* info, Nanoseconds base) {
  args.number("lane", lane);
  args.number("stage", action.stage);
  args.number("micro_batch", action.micro_batch);
  args.letter("phase", action.phase);
  args.number("step", action.step);
  if (action.mark != 0) args.time("issued_us", action.mark - base);
  if (info != nullptr && !info->device.empty()) args.text("device", info->device);
}

void writeTransfer(JsonObject& args, const Span& transfer) {
  args.number("from_stage", transfer.stage);
  args.number("micro_batch", transfer.micro_batch);
  args.letter("phase", transfer.phase);
  args.number("step", transfer.step);
  args.time("queued_us", transfer.mark != 0 ? transfer.start - transfer.mark : 0);
}

void writeStep(JsonObject& args, const Span& step, Nanoseconds base) {
  args.number("step", step.step);
  if (step.mark != 0) args.time("mark_us", step.mark - base);
}

void writeOther(JsonObject& args, const Span& other, int lane, Nanoseconds base) {
  args.number("lane", lane);
  if (other.step != -1) args.number("step", other.step);
  if (other.stage != -1) args.number("stage", other.stage);
  if (other.micro_batch != -1) args.number("micro_batch", other.micro_batch);
  if (other.phase != Phase::None) args.letter("phase", other.phase);
  if (other.mark != 0) args.time("mark_us", other.mark - base);
}

}  // namespace

void appendDeclaration(std::string& out, const Trace& trace, const std::vector<TraceRow>& rows) {
  std::vector<std::vector<int>> tids(trace.tracks.size());
  for (const TraceRow& row : rows) tids[row.track].push_back(row.tid);
  JsonObject other(out);
  JsonObject about(other.key("lanelab"));
  about.number("version", 1);
  about.text("title", trace.title);
  about.text("origin", toString(trace.origin));
  if (trace.extent != Extent::Whole) about.text("extent", toString(trace.extent));
  about.number("epoch_ns", trace.epoch);
  about.number("dropped", trace.dropped);
  appendList(about.key("lanes"), trace.lanes, [&](const LaneInfo& lane) { appendLane(out, lane); });
  appendRunCounters(about, trace);
  about.key("tracks");
  appendList(out, trace.tracks, [&](const Track& track) {
    appendTrack(out, track, tids[static_cast<std::size_t>(&track - trace.tracks.data())]);
  });
  about.close();
  other.close();
}

void writeSpanArgs(JsonObject& args, const Span& span, int lane, const LaneInfo* info, Nanoseconds base) {
  switch (span.category) {
    case Category::Action: writeAction(args, span, lane, info, base); break;
    case Category::Transfer: writeTransfer(args, span); break;
    case Category::Step: writeStep(args, span, base); break;
    default: writeOther(args, span, lane, base);
  }
  if (span.cpu >= 0) args.time("cpu_us", span.cpu);
}

}  // namespace lanelab
