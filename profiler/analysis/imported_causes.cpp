// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "profiler/analysis/gap_walk.h"

namespace lanelab {

namespace {

/// A kernel that computes, or an operator.
struct ImportedWork {
  TimeRange range;
  Nanoseconds launched = kNever;  ///< when its launch call ended
  std::uint32_t stream = 0;       ///< in ImportedLane::copies
  std::uint32_t name = 0;         ///< in Trace::names
};

struct ImportedLane {
  std::string name;
  std::vector<ImportedWork> work;              ///< any order
  std::vector<std::vector<TimeRange>> copies;  ///< by stream; any order
  std::vector<TimeRange> memsets;              ///< any order
  std::vector<TimeRange> communication;        ///< any order

  bool empty() const { return work.empty() && communication.empty(); }
};

/// N of "ProfilerStep#N", which marks a step of the profiler; nothing for other names.
std::optional<int> profilerStepOf(std::string_view name) {
  constexpr std::string_view kPrefix = "ProfilerStep#";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  int step = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), step);
  return read.ec == std::errc() && read.ptr == name.data() + name.size() && step >= 0 ? std::optional(step)
                                                                                      : std::nullopt;
}

bool holds(const Track& track, Category category) {
  return std::any_of(track.spans.begin(), track.spans.end(),
                     [&](const Span& span) { return span.category == category; });
}
bool holdsGpuWork(const Track& track) {
  return std::any_of(track.spans.begin(), track.spans.end(), [](const Span& span) { return isGpuWork(span.category); });
}

std::string processName(const Trace& trace, const Track& track) {
  const LaneInfo* const lane = trace.laneAt(track.lane);
  return lane ? lane->name : std::string();
}

/// What tells the lanes of a trace apart; rows of the same stream or thread have the same key.
struct RowKeys {
  const Trace& trace;
  const ImportedTrace* imported;  ///< null when nothing is known of the rows

  const ImportedRow* rowOf(std::size_t track) const {
    return imported && track < imported->rows.size() ? &imported->rows[track] : nullptr;
  }

  std::pair<int, int> gpu(std::size_t track) const {
    const ImportedRow* const row = rowOf(track);
    return {trace.tracks[track].lane, row ? row->device : -1};
  }
  /// A stream by its number, or by its thread where it has none; the flag keeps the two apart.
  std::tuple<bool, std::int64_t, std::string> stream(std::size_t track) const {
    const ImportedRow* const row = rowOf(track);
    if (row == nullptr) return {false, static_cast<std::int64_t>(track), {}};
    return row->stream >= 0 ? std::tuple(true, row->stream, std::string())
                            : std::tuple(false, std::int64_t{0}, row->part_of.text);
  }
  /// All rows of a thread have one; a track of which nothing is known is a thread of its own.
  std::tuple<std::int64_t, std::string> thread(std::size_t track) const {
    const ImportedRow* const row = rowOf(track);
    return row ? std::tuple(static_cast<std::int64_t>(row->process), row->part_of.text)
               : std::tuple(-1 - static_cast<std::int64_t>(track), std::string());
  }

  std::string gpuName(std::size_t track) const {
    const ImportedRow* const row = rowOf(track);
    if (row && row->process < imported->processes.size()) {
      const std::string& labels = imported->processes[row->process].labels;  // "GPU 0", "MTIA 17"
      if (!labels.empty() && labels != "CPU") return labels;
    }
    const std::string process = processName(trace, trace.tracks[track]);
    return process.empty() && row && row->device >= 0 ? "GPU " + std::to_string(row->device) : process;
  }
  std::string threadName(std::size_t track) const {
    const std::string process = processName(trace, trace.tracks[track]);
    const std::string& thread = trace.tracks[track].name;
    return process + (process.empty() || thread.empty() ? "" : " / ") + thread;
  }
};

void addKernels(ImportedLane& lane, const Track& track, std::uint32_t stream) {
  for (const Span& span : track.spans) {
    switch (span.category) {
      case Category::Kernel:
        lane.work.push_back({span.range(), span.mark != 0 ? span.mark : kNever, stream, span.name});
        break;
      case Category::Communication: lane.communication.push_back(span.range()); break;
      case Category::Memcpy: lane.copies[stream].push_back(span.range()); break;
      case Category::Memset: lane.memsets.push_back(span.range()); break;
      default: break;
    }
  }
}

std::vector<ImportedLane> gpus(const RowKeys& keys) {
  struct Gpu {
    ImportedLane lane;
    std::map<std::tuple<bool, std::int64_t, std::string>, std::uint32_t> streams;
  };
  std::map<std::pair<int, int>, Gpu> gpus;
  for (std::size_t track = 0; track < keys.trace.tracks.size(); ++track) {
    if (!holdsGpuWork(keys.trace.tracks[track])) continue;
    Gpu& gpu = gpus[keys.gpu(track)];
    if (gpu.lane.name.empty()) gpu.lane.name = keys.gpuName(track);
    const auto [stream, isNew] =
        gpu.streams.try_emplace(keys.stream(track), static_cast<std::uint32_t>(gpu.streams.size()));
    if (isNew) gpu.lane.copies.emplace_back();
    addKernels(gpu.lane, keys.trace.tracks[track], stream->second);
  }
  std::vector<ImportedLane> lanes;
  for (auto& [key, gpu] : gpus)
    if (!gpu.lane.empty()) lanes.push_back(std::move(gpu.lane));
  return lanes;
}

/// Marks of steps are no operators, whatever their category.
std::vector<bool> stepMarks(const Trace& trace) {
  std::vector<bool> marks(trace.names.size());
  for (std::size_t name = 0; name < marks.size(); ++name) marks[name] = profilerStepOf(trace.names[name]).has_value();
  return marks;
}

std::vector<ImportedLane> threads(const RowKeys& keys) {
  const std::vector<bool> marks = stepMarks(keys.trace);
  std::vector<ImportedLane> threads;
  std::map<std::tuple<std::int64_t, std::string>, std::size_t> place_of;
  for (std::size_t track = 0; track < keys.trace.tracks.size(); ++track) {
    if (!holds(keys.trace.tracks[track], Category::CpuOp)) continue;
    const auto [place, isNew] = place_of.try_emplace(keys.thread(track), threads.size());
    if (isNew) threads.push_back({keys.threadName(track), {}, std::vector<std::vector<TimeRange>>(1), {}, {}});
    for (const Span& span : keys.trace.tracks[track].spans)
      if (span.category == Category::CpuOp && !marks[span.name])
        threads[place->second].work.push_back({span.range(), kNever, 0, span.name});
  }
  std::erase_if(threads, [](const ImportedLane& lane) { return lane.empty(); });
  return threads;
}

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
  for (const StepWindow& window : windows) {
    auto range = std::ranges::upper_bound(ranges, window.range.start, {}, &TimeRange::end);
    for (; range != ranges.end() && range->start < window.range.end; ++range)
      sum += std::min(range->end, window.range.end) - std::max(range->start, window.range.start);
  }
  return sum;
}

GpuTimes gpuTimes(const ImportedLane& from, const std::vector<TimeRange>& computing, const LaneCauses& lane,
                  const std::vector<StepWindow>& windows) {
  const std::vector<TimeRange> kernels = unionOf(from.communication, computing);
  std::vector<TimeRange> memory = from.memsets;
  for (const auto& copies : from.copies) memory.insert(memory.end(), copies.begin(), copies.end());
  const Nanoseconds in_kernels = covered(kernels, windows);
  const Nanoseconds active = covered(unionOf(std::move(memory), kernels), windows);
  return {covered(from.communication, windows), in_kernels - lane.busy, active - in_kernels, lane.window - active};
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
  if (work == IdleCauses::Work::Kernels) lane.gpu = gpuTimes(from, computing, lane, windows);
  return lane;
}

}  // namespace

IdleCauses explainImported(const Trace& trace, const ImportedTrace* imported) {
  std::vector<StepWindow> steps = profilerSteps(trace, false);
  if (steps.empty()) steps = profilerSteps(trace, true);
  const RowKeys keys{trace, imported};
  std::vector<ImportedLane> lanes = gpus(keys);
  IdleCauses result;
  result.work = lanes.empty() ? IdleCauses::Work::Operators : IdleCauses::Work::Kernels;
  if (lanes.empty()) lanes = threads(keys);
  for (ImportedLane& lane : lanes) result.lanes.push_back(explained(lane, steps, result.work));
  for (std::size_t i = 0; i < result.lanes.size(); ++i) result.lanes[i].lane = static_cast<int>(i);
  return result;
}

}  // namespace lanelab
