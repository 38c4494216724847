// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/imported_steps.h"

#include <algorithm>
#include <limits>

#include "profiler/analysis/busy_pieces.h"

namespace lanelab {

namespace {

void sortByStart(std::vector<StepWindow>& steps) {
  std::ranges::stable_sort(steps, {}, [](const StepWindow& step) { return step.range.start; });
}

/// Makes one of marks of the same number that touch, as several threads of a process write them.
void joinTouching(std::vector<StepWindow>& steps) {
  sortByStart(steps);
  std::map<int, std::size_t> last;  // the last place of each number
  std::size_t kept = 0;
  for (const StepWindow& step : steps) {
    const auto before = last.find(step.step);
    if (before != last.end() && steps[before->second].range.end >= step.range.start) {
      Nanoseconds& end = steps[before->second].range.end;
      end = std::max(end, step.range.end);
      continue;
    }
    last[step.step] = kept;
    steps[kept++] = step;
  }
  steps.resize(kept);
}

/// Of a GPU a step is all that its streams did for it, until another step begins.
void joinNeighbours(std::vector<StepWindow>& steps) {
  sortByStart(steps);
  std::size_t kept = 0;
  for (const StepWindow& step : steps) {
    if (kept > 0 && steps[kept - 1].step == step.step) {
      Nanoseconds& end = steps[kept - 1].range.end;
      end = std::max(end, step.range.end);
    } else {
      steps[kept++] = step;
    }
  }
  steps.resize(kept);
}

/// Cuts the begin of each window at the end of those before it.
std::vector<StepWindow> oneAfterAnother(std::vector<StepWindow> windows) {
  Nanoseconds end = kNever;
  for (StepWindow& window : windows) {
    window.range.start = std::max(window.range.start, end);
    end = window.range.end = std::max(window.range.end, window.range.start);
  }
  return windows;
}

/// What a GPU did for a step, and for what was launched between the step before and this one.
struct StepWork {
  Nanoseconds first = std::numeric_limits<Nanoseconds>::max();
  Nanoseconds last = kNever;
  Nanoseconds earlier = kNever;  ///< end of the last work that was launched before
};

/// The place of the step in which a call ended; that of the next one, and false, if it ended before it.
std::pair<std::size_t, bool> placeOf(const std::vector<StepWindow>& steps, Nanoseconds launched) {
  const auto start_of = [](const StepWindow& step) { return step.range.start; };
  const auto later = std::ranges::lower_bound(steps, launched, {}, start_of);
  const auto place = static_cast<std::size_t>(later - steps.begin());
  if (later != steps.begin() && launched <= std::prev(later)->range.end) return {place - 1, true};
  return {place, later != steps.end() && later->range.start == launched};
}

std::vector<StepWork> workBySteps(const std::vector<StepWindow>& steps, const std::vector<LaunchedWork>& launched) {
  std::vector<StepWork> work(steps.size());
  for (const LaunchedWork& one : launched) {
    const auto [place, within] = placeOf(steps, one.launched);
    if (place == steps.size()) continue;
    StepWork& of = work[place];
    if (within) {
      of.first = std::min(of.first, one.range.start);
      of.last = std::max(of.last, one.range.end);
    } else {
      of.earlier = std::max(of.earlier, one.range.end);
    }
  }
  return work;
}

std::vector<StepWindow> behindHost(std::vector<StepWindow> steps, const std::vector<LaunchedWork>& launched) {
  const std::vector<StepWork> work = workBySteps(steps, launched);
  Nanoseconds end = kNever;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    TimeRange& range = steps[i].range;
    range.start = std::max(range.start, end);
    // Without work of its own it has no begin that could be told from the end of what went before.
    if (work[i].last != kNever) range.start = std::max(range.start, std::min(work[i].earlier, work[i].first));
    end = range.end = std::max({range.end, work[i].last, range.start});
  }
  return steps;
}

}  // namespace

ImportedSteps::ImportedSteps(const Trace& trace, const ImportedTrace* imported) {
  std::map<std::uint32_t, int> names;  // by place in Trace::names, so that each is read once
  for (std::size_t i = 0; i < trace.names.size(); ++i)
    if (const auto step = profilerStepOf(trace.names[i])) names.emplace(static_cast<std::uint32_t>(i), *step);
  if (names.empty()) return;
  for (std::size_t track = 0; track < trace.tracks.size(); ++track)
    for (const Span& span : trace.tracks[track].spans)
      if (const auto name = names.find(span.name); name != names.end())
        addMark(trace, imported, track, span, name->second);
  for (std::size_t row = 0; imported && row < imported->rows.size(); ++row)
    if (imported->rows[row].launcher) m_launchers.insert(*imported->rows[row].launcher);
  for (auto& [process, marks] : m_hosts) joinTouching(marks.steps);
  for (auto& [gpu, marks] : m_gpus) joinNeighbours(marks.steps);
}

void ImportedSteps::addMark(const Trace& trace, const ImportedTrace* imported, std::size_t index, const Span& span,
                            int step) {
  const Track& track = trace.tracks[index];
  const ImportedRow* const row = imported && index < imported->rows.size() ? &imported->rows[index] : nullptr;
  const bool of_gpu = track.kind == Track::Kind::Stream || trace.categoryNameOf(span) == "gpu_user_annotation";
  Marks& marks = of_gpu ? m_gpus[{track.lane, row ? row->device : -1}]
                        : m_hosts[row ? row->process : static_cast<std::uint32_t>(track.lane)];
  marks.steps.push_back({step, span.range()});
  marks.annotated = marks.annotated || row == nullptr || !trace.categoryNameOf(span).empty();
}

std::vector<StepWindow> ImportedSteps::ofThread(std::uint32_t process) const {
  if (const auto own = m_hosts.find(process); own != m_hosts.end()) return oneAfterAnother(own->second.steps);
  if (const Marks* const sole = only()) return oneAfterAnother(sole->steps);
  return {};
}

std::vector<StepWindow> ImportedSteps::ofGpu(GpuKey gpu, std::optional<std::uint32_t> launcher,
                                             const std::vector<LaunchedWork>& launched) const {
  if (const auto own = launcher ? m_hosts.find(*launcher) : m_hosts.end(); own != m_hosts.end())
    return behindHost(own->second.steps, launched);
  if (const auto own = m_gpus.find(gpu); m_hosts.size() != 1 && own != m_gpus.end())
    return oneAfterAnother(own->second.steps);
  if (launcher && only() && m_launchers.contains(m_hosts.begin()->first)) return {};  // of another process's GPUs
  // A mark without any category is a name that the file shows; only launches would tell what the GPU did for it.
  if (const Marks* const sole = only(); sole && sole->annotated) return oneAfterAnother(sole->steps);
  if (m_hosts.empty() && m_gpus.size() == 1) return oneAfterAnother(m_gpus.begin()->second.steps);
  return {};
}

Nanoseconds ImportedSteps::apart() const {
  std::map<int, TimeRange> begins;
  for (const auto& [process, marks] : m_hosts) {
    std::map<int, Nanoseconds> firsts;
    for (const StepWindow& step : marks.steps) firsts.try_emplace(step.step, step.range.start);
    for (const auto& [step, start] : firsts) {
      TimeRange& range = begins.try_emplace(step, TimeRange{start, start}).first->second;
      range = {std::min(range.start, start), std::max(range.end, start)};
    }
  }
  Nanoseconds most = 0;
  for (const auto& [step, range] : begins) most = std::max(most, range.length());
  return most;
}

}  // namespace lanelab
