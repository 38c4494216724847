// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/imported_causes.h"

#include <algorithm>
#include <map>

#include "profiler/analysis/lane_causes.h"

namespace lanelab {

namespace {

/// By place in Trace::names, so that each name is read once.
std::map<std::uint32_t, int> stepNames(const Trace& trace) {
  std::map<std::uint32_t, int> steps;
  for (std::size_t i = 0; i < trace.names.size(); ++i)
    if (const auto step = profilerStepOf(trace.names[i])) steps.emplace(static_cast<std::uint32_t>(i), *step);
  return steps;
}

/// Those of a GPU are the hull of what it did for the step, which is another time than the host's.
bool ofGpu(const Trace& trace, const Track& track, const Span& span) {
  return track.kind == Track::Kind::Stream || trace.categoryNameOf(span) == "gpu_user_annotation";
}

std::vector<StepWindow> profilerSteps(const Trace& trace, bool of_gpu) {
  const std::map<std::uint32_t, int> names = stepNames(trace);
  if (names.empty()) return {};
  std::map<int, TimeRange> ranges;
  for (const Track& track : trace.tracks) {
    for (const Span& span : track.spans) {
      const auto name = names.find(span.name);
      if (name == names.end() || ofGpu(trace, track, span) != of_gpu) continue;
      TimeRange& range = ranges.try_emplace(name->second, span.range()).first->second;
      range = {std::min(range.start, span.start), std::max(range.end, span.end)};
    }
  }
  std::vector<StepWindow> windows;
  for (const auto& [step, range] : ranges) windows.push_back({step, range});
  return windows;
}

TimeRange hullOf(const std::vector<BusyPiece>& joined) {
  return joined.empty() ? TimeRange{} : TimeRange{joined.front().range.start, joined.back().range.end};
}

std::vector<BusyPiece> busyOf(const ImportedLane& lane) {
  std::vector<BusyPiece> pieces;
  pieces.reserve(lane.work.size());
  for (std::size_t i = 0; i < lane.work.size(); ++i)
    pieces.push_back({lane.work[i].range, static_cast<std::uint32_t>(i)});
  return joinedPieces(std::move(pieces));
}

}  // namespace

IdleCauses explainImported(const Trace& trace, std::vector<ImportedLane> imported) {
  std::vector<StepWindow> steps = profilerSteps(trace, false);
  if (steps.empty()) steps = profilerSteps(trace, true);
  IdleCauses result;
  GapWalk walk;
  for (ImportedLane& from : imported) {
    for (auto& copies : from.copies) copies = unionOf(std::move(copies));
    LaneCauses& lane = result.lanes.emplace_back();
    lane.lane = static_cast<int>(result.lanes.size()) - 1;
    lane.name = from.name;
    const std::vector<BusyPiece> busy = busyOf(from);
    const auto explain = [&](TimeRange, std::uint32_t item, std::size_t) {
      if (item != kNoItem) {
        walk.until(from.work[item].launched, Cause::Host);
        walk.within(from.copies[from.work[item].stream], Cause::Transfer);
      }
      walk.rest(Cause::Unresolved);
    };
    const std::vector<StepWindow> windows = steps.empty() ? std::vector<StepWindow>{{0, hullOf(busy)}} : steps;
    explainLane(lane, busy, windows, walk, explain, [&](std::uint32_t item) { return from.work[item].name; });
  }
  return result;
}

}  // namespace lanelab
