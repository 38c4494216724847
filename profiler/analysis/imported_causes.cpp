// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <algorithm>
#include <utility>

#include "profiler/analysis/gap_walk.h"
#include "profiler/analysis/imported_lanes.h"
#include "profiler/analysis/imported_steps.h"

namespace lanelab {

namespace {

TimeRange hullOf(const std::vector<TimeRange>& sorted) {
  return sorted.empty() ? TimeRange{} : TimeRange{sorted.front().start, sorted.back().end};
}

std::vector<TimeRange> rangesOf(const std::vector<BusyPiece>& pieces) {
  std::vector<TimeRange> ranges;
  ranges.reserve(pieces.size());
  for (const BusyPiece& piece : pieces) ranges.push_back(piece.range);
  return ranges;
}

std::vector<TimeRange> unionOf(std::vector<TimeRange> ranges, const std::vector<TimeRange>& more) {
  ranges.insert(ranges.end(), more.begin(), more.end());
  return unionOf(std::move(ranges));
}

/// How much of the windows the ranges cover, which are sorted and disjoint.
Nanoseconds covered(const std::vector<TimeRange>& ranges, const std::vector<StepWindow>& windows) {
  Nanoseconds sum = 0;
  for (const StepWindow& window : windows) sum += coveredTime(ranges, window.range);
  return sum;
}

GpuTimes gpuTimes(const ImportedLane& from, const std::vector<TimeRange>& computing, const LaneCauses& lane,
                  const std::vector<StepWindow>& windows) {
  const std::vector<TimeRange> kernels = unionOf(from.communication, computing);
  std::vector<TimeRange> memory = from.memsets;
  for (const auto& copies : from.copies) memory.insert(memory.end(), copies.begin(), copies.end());
  const Nanoseconds in_kernels = covered(kernels, windows);
  const Nanoseconds active = covered(unionOf(std::move(memory), kernels), windows);
  const Nanoseconds communication = covered(from.communication, windows);
  return {communication, in_kernels - lane.busy, active - in_kernels, lane.window - active,
          lengthOf(from.communication) - communication};
}

std::vector<BusyPiece> busyOf(const ImportedLane& lane) {
  std::vector<BusyPiece> pieces;
  pieces.reserve(lane.work.size());
  for (std::size_t i = 0; i < lane.work.size(); ++i)
    pieces.push_back({lane.work[i].range, static_cast<std::uint32_t>(i)});
  return joinedPieces(std::move(pieces));
}

/// The causes of one lane, but for its number. Without steps its window is all its kernels or operators.
LaneCauses explained(ImportedLane& from, const std::vector<StepWindow>& steps, IdleCauses::Work work) {
  for (auto& copies : from.copies) copies = unionOf(std::move(copies));
  from.communication = unionOf(std::move(from.communication));
  LaneCauses lane;
  lane.name = from.name;
  lane.without_steps = steps.empty();
  const std::vector<BusyPiece> busy = busyOf(from);
  const std::vector<TimeRange> computing = rangesOf(busy);
  GapWalk walk;
  const auto explain = [&](TimeRange, std::uint32_t item, std::size_t) {
    walk.within(from.communication, Cause::Communication);
    if (item != kNoItem) {
      walk.until(from.work[item].launched, Cause::Host);
      walk.within(from.copies[from.work[item].stream], Cause::Transfer);
    }
    walk.rest(Cause::Unresolved);
  };
  const std::vector<StepWindow> whole = {{0, hullOf(unionOf(from.communication, computing))}};
  const std::vector<StepWindow>& windows = steps.empty() ? whole : steps;
  explainLane(lane, busy, windows, walk, explain, [&](std::uint32_t item) { return from.work[item].name; });
  lane.outside = lengthOf(computing) - lane.busy;
  if (work == IdleCauses::Work::Kernels) lane.gpu = gpuTimes(from, computing, lane, windows);
  return lane;
}

}  // namespace

IdleCauses explainImported(const Trace& trace, const ImportedTrace* imported, ImportedWindows windows) {
  const ImportedSteps steps(trace, imported);
  std::vector<ImportedLane> lanes = importedGpus(trace, imported);
  IdleCauses result;
  result.whole_trace = windows == ImportedWindows::Trace;
  result.work = lanes.empty() ? IdleCauses::Work::Operators : IdleCauses::Work::Kernels;
  if (lanes.empty()) lanes = importedThreads(trace, imported);
  for (ImportedLane& lane : lanes) {
    std::vector<StepWindow> own;
    if (!result.whole_trace) {
      own = result.work == IdleCauses::Work::Kernels ? steps.ofGpu(lane.gpu, lane.launcher, lane.launched)
                                                     : steps.ofThread(lane.process);
      result.without_steps += own.empty() && !steps.empty() ? 1 : 0;
    }
    lane.launched = {};
    LaneCauses& causes = result.lanes.emplace_back(explained(lane, own, result.work));
    causes.lane = static_cast<int>(result.lanes.size()) - 1;
    if (imported) causes.groups = groupTimesOf(causes, *imported, lane.tracks);
  }
  if (!result.whole_trace) result.steps_apart = steps.apart();
  return result;
}

}  // namespace lanelab
