// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/imported_lanes.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace lanelab {

namespace {

template <class Holds>
bool anySpan(const Track& track, const Holds& holds) {
  return std::any_of(track.spans.begin(), track.spans.end(), holds);
}
bool holdsGpuWork(const Track& track) {
  return anySpan(track, [](const Span& span) { return isGpuWork(span.category); });
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
  const ImportedProcess* processOf(std::size_t track) const {
    const ImportedRow* const row = rowOf(track);
    return row && row->process < imported->processes.size() ? &imported->processes[row->process] : nullptr;
  }

  GpuKey gpu(std::size_t track) const {
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

  /// Names of a lane, from what is usually shown to what tells more.
  std::vector<std::string> gpuNames(std::size_t track, bool alone) const {
    const ImportedRow* const row = rowOf(track);
    const ImportedProcess* const process = processOf(track);
    const std::string title = processName(trace, trace.tracks[track]);
    // rocprofv3 numbers its agents, CPUs among them.
    const bool agent = trace.tracks[track].name.find("AGENT [") != std::string::npos;
    const std::string number =
        row && row->device >= 0 ? (agent ? "AGENT " : "GPU ") + std::to_string(row->device) : std::string();
    std::vector<std::string> names;
    if (!alone && !number.empty()) {
      names = {number, title + " " + number};
    } else {
      if (process && !process->labels.empty() && process->labels != "CPU")  // "GPU 0", "MTIA 17"
        names.push_back(process->labels);
      // "process 0" tells less than its device does.
      const bool unnamed = process && process->title() == process->titleOfPid();
      names.push_back(!number.empty() && (title.empty() || unnamed) ? number : title);
    }
    if (process && !process->pid.text.empty()) names.push_back(names.front() + " of process " + process->pid.text);
    return names;
  }
  std::vector<std::string> threadNames(std::size_t track) const {
    const std::string process = processName(trace, trace.tracks[track]);
    const std::string& thread = trace.tracks[track].name;
    std::vector<std::string> names = {process + (process.empty() || thread.empty() ? "" : " / ") + thread};
    if (const ImportedProcess* const known = processOf(track)) {
      names.push_back(names.front() + " of process " + known->pid.text);
      names.push_back(names.front() + " " + rowOf(track)->part_of.text + " of process " + known->pid.text);
    }
    return names;
  }
};

using NameChoices = std::vector<std::vector<std::string>>;

/// By lane, its first name that no other lane has at that place; lanes that nothing tells apart are numbered.
std::vector<std::string> distinctNames(const NameChoices& choices) {
  std::vector<std::string> names(choices.size());
  std::vector<bool> done(choices.size(), false);
  std::size_t most = 0;
  for (const std::vector<std::string>& own : choices) most = std::max(most, own.size());
  std::set<std::string> taken;
  for (std::size_t level = 0; level < most; ++level) {
    const auto at = [&](std::size_t lane) { return choices[lane][std::min(level, choices[lane].size() - 1)]; };
    std::map<std::string, int> counts;
    for (std::size_t lane = 0; lane < choices.size(); ++lane)
      if (!done[lane]) ++counts[at(lane)];
    for (std::size_t lane = 0; lane < choices.size(); ++lane) {
      if (done[lane] || counts[at(lane)] > 1 || taken.contains(at(lane))) continue;
      names[lane] = at(lane);
      taken.insert(names[lane]);
      done[lane] = true;
    }
  }
  std::map<std::string, int> numbers;
  for (std::size_t lane = 0; lane < choices.size(); ++lane) {
    const std::string& name = choices[lane].front();
    while (!done[lane]) {
      names[lane] = name + " (" + std::to_string(++numbers[name]) + ")";
      done[lane] = taken.insert(names[lane]).second;
    }
  }
  return names;
}

void nameLanes(std::vector<ImportedLane>& lanes, const NameChoices& choices) {
  const std::vector<std::string> names = distinctNames(choices);
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].name = names[i];
}

/// How much work each process launched.
using Launchers = std::map<std::uint32_t, std::size_t>;

void addKernels(ImportedLane& lane, const Track& track, std::uint32_t stream) {
  for (const Span& span : track.spans) {
    if (isGpuWork(span.category) && span.mark != 0) lane.launched.push_back({span.range(), span.mark});
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

std::optional<std::uint32_t> mostOf(const Launchers& launchers) {
  const auto most = std::ranges::max_element(launchers, {}, [](const auto& one) { return one.second; });
  return most == launchers.end() ? std::nullopt : std::optional(most->first);
}

/// A GPU in the making.
struct DraftGpu {
  ImportedLane lane;
  std::size_t first_track = 0;
  std::map<std::tuple<bool, std::int64_t, std::string>, std::uint32_t> streams;
  Launchers launchers;

  void add(const RowKeys& keys, std::size_t track) {
    lane.tracks.push_back(static_cast<std::uint32_t>(track));
    const auto [stream, isNew] = streams.try_emplace(keys.stream(track), static_cast<std::uint32_t>(streams.size()));
    if (isNew) lane.copies.emplace_back();
    const std::size_t before = lane.launched.size();
    addKernels(lane, keys.trace.tracks[track], stream->second);
    const ImportedRow* const row = keys.rowOf(track);
    if (row && row->launcher) launchers[*row->launcher] += 1 + lane.launched.size() - before;
  }
};

/// Without its work.
ImportedLane threadOf(const RowKeys& keys, std::size_t track) {
  ImportedLane lane;
  const ImportedRow* const row = keys.rowOf(track);
  lane.process = row ? row->process : static_cast<std::uint32_t>(keys.trace.tracks[track].lane);
  lane.copies.resize(1);
  return lane;
}

}  // namespace

std::vector<ImportedLane> importedGpus(const Trace& trace, const ImportedTrace* imported) {
  const RowKeys keys{trace, imported};
  std::map<GpuKey, DraftGpu> gpus;
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
    if (!holdsGpuWork(trace.tracks[track])) continue;
    const auto [gpu, isNew] = gpus.try_emplace(keys.gpu(track));
    if (isNew) gpu->second.first_track = track;
    gpu->second.add(keys, track);
  }
  std::map<int, int> of_lane;
  for (const auto& [key, gpu] : gpus) ++of_lane[key.first];
  std::vector<ImportedLane> lanes;
  NameChoices names;
  for (auto& [key, gpu] : gpus) {
    if (gpu.lane.empty()) continue;
    gpu.lane.gpu = key;
    gpu.lane.launcher = mostOf(gpu.launchers);
    names.push_back(keys.gpuNames(gpu.first_track, of_lane[key.first] == 1));
    lanes.push_back(std::move(gpu.lane));
  }
  nameLanes(lanes, names);
  return lanes;
}

std::vector<ImportedLane> importedThreads(const Trace& trace, const ImportedTrace* imported) {
  const RowKeys keys{trace, imported};
  // Marks of steps are no operators, whatever their category.
  std::vector<bool> marks(trace.names.size());
  for (std::size_t name = 0; name < marks.size(); ++name) marks[name] = profilerStepOf(trace.names[name]).has_value();
  const auto isOperator = [&](const Span& span) { return span.category == Category::CpuOp && !marks[span.name]; };
  std::vector<ImportedLane> threads;
  NameChoices names;
  std::map<std::tuple<std::int64_t, std::string>, std::size_t> place_of;
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
    if (!anySpan(trace.tracks[track], isOperator)) continue;
    const auto [place, isNew] = place_of.try_emplace(keys.thread(track), threads.size());
    if (isNew) {
      threads.push_back(threadOf(keys, track));
      names.push_back(keys.threadNames(track));
    }
    for (const Span& span : trace.tracks[track].spans)
      if (isOperator(span)) threads[place->second].work.push_back({span.range(), kNever, 0, span.name});
  }
  for (std::uint32_t track = 0; track < trace.tracks.size(); ++track)
    if (const auto place = place_of.find(keys.thread(track)); place != place_of.end())
      threads[place->second].tracks.push_back(track);
  nameLanes(threads, names);
  return threads;
}

}  // namespace lanelab
