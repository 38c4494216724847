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

/// A kernel or an operator.
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
    if (row && row->process < imported->processes.size() && imported->processes[row->process].labels.starts_with("GPU"))
      return imported->processes[row->process].labels;
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
    if (span.category == Category::Kernel)
      lane.work.push_back({span.range(), span.mark != 0 ? span.mark : kNever, stream, span.name});
    if (span.category == Category::Memcpy) lane.copies[stream].push_back(span.range());
  }
}

std::vector<ImportedLane> gpus(const RowKeys& keys) {
  struct Gpu {
    ImportedLane lane;
    std::map<std::tuple<bool, std::int64_t, std::string>, std::uint32_t> streams;
  };
  std::map<std::pair<int, int>, Gpu> gpus;
  for (std::size_t track = 0; track < keys.trace.tracks.size(); ++track) {
    if (!holds(keys.trace.tracks[track], Category::Kernel) && !holds(keys.trace.tracks[track], Category::Memcpy))
      continue;
    Gpu& gpu = gpus[keys.gpu(track)];
    if (gpu.lane.name.empty()) gpu.lane.name = keys.gpuName(track);
    const auto [stream, isNew] =
        gpu.streams.try_emplace(keys.stream(track), static_cast<std::uint32_t>(gpu.streams.size()));
    if (isNew) gpu.lane.copies.emplace_back();
    addKernels(gpu.lane, keys.trace.tracks[track], stream->second);
  }
  std::vector<ImportedLane> lanes;
  for (auto& [key, gpu] : gpus)
    if (!gpu.lane.work.empty()) lanes.push_back(std::move(gpu.lane));
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
    if (isNew) threads.push_back({keys.threadName(track), {}, std::vector<std::vector<TimeRange>>(1)});
    for (const Span& span : keys.trace.tracks[track].spans)
      if (span.category == Category::CpuOp && !marks[span.name])
        threads[place->second].work.push_back({span.range(), kNever, 0, span.name});
  }
  std::erase_if(threads, [](const ImportedLane& lane) { return lane.work.empty(); });
  return threads;
}

std::vector<ImportedLane> lanesOf(const RowKeys& keys) {
  std::vector<ImportedLane> lanes = gpus(keys);
  return lanes.empty() ? threads(keys) : lanes;
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

IdleCauses explainImported(const Trace& trace, const ImportedTrace* imported) {
  std::vector<StepWindow> steps = profilerSteps(trace, false);
  if (steps.empty()) steps = profilerSteps(trace, true);
  IdleCauses result;
  GapWalk walk;
  for (ImportedLane& from : lanesOf({trace, imported})) {
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
