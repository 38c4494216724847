// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/launch_join.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "profiler/io/build/left_out_work.h"
#include "profiler/io/build/process_family.h"

namespace lanelab {

namespace {

/// Writers round times.
constexpr Nanoseconds kSkew = 1'000;
/// Beyond it work is not where it ran.
constexpr Nanoseconds kFar = 1'000'000;
/// With one id; hostile files have one for all.
constexpr std::ptrdiff_t kMostProcesses = 64;

struct Call {
  std::int64_t correlation = 0;
  std::uint32_t process = 0;
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  Nanoseconds first_work = std::numeric_limits<Nanoseconds>::max();
  int gpu = -1;  ///< that it surely launched work of
};
constexpr std::uint32_t kNoCall = ~std::uint32_t{0};

/// Calls `visit(track, index, correlation)` for each span that has a correlation id.
template <class Visit>
void eachCorrelated(const ImportedTrace& imported, const Trace& trace, const Visit& visit) {
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
    const std::vector<std::int64_t>& correlations = imported.rows[track].correlations;
    for (std::size_t i = 0; i < correlations.size(); ++i)
      if (correlations[i] > 0) visit(track, i, correlations[i]);
  }
}

bool hasCalls(const Trace& trace) {
  const auto isCall = [](const Span& span) { return span.category == Category::Runtime; };
  return std::ranges::any_of(trace.tracks, [&](const Track& track) {
    return track.kind != Track::Kind::Stream && std::any_of(track.spans.begin(), track.spans.end(), isCall);
  });
}

std::vector<Call> callsOf(const ImportedTrace& imported, const Trace& trace) {
  std::vector<Call> calls;
  eachCorrelated(imported, trace, [&](std::size_t track, std::size_t i, std::int64_t correlation) {
    const Span span = trace.tracks[track].spans[i];
    if (span.category == Category::Runtime)
      calls.push_back({correlation, imported.rows[track].process, span.start, span.end});
  });
  std::ranges::sort(calls, {}, [](const Call& call) { return std::tuple(call.correlation, call.process, call.start); });
  return calls;
}

/// The calls of one process with one id: places among the sorted calls.
struct CallRun {
  std::int64_t correlation = 0;
  std::uint32_t process = 0;
  std::uint32_t first = 0;
  std::uint32_t last = 0;  ///< behind them
};

std::vector<CallRun> runsOf(const std::vector<Call>& calls) {
  std::vector<CallRun> runs;
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    const Call& call = calls[i];
    if (runs.empty() || runs.back().correlation != call.correlation || runs.back().process != call.process)
      runs.push_back({call.correlation, call.process, i, i});
    ++runs.back().last;
  }
  return runs;
}

std::vector<std::uint32_t> processesOf(const std::vector<CallRun>& runs) {
  std::set<std::uint32_t> processes;
  for (const CallRun& run : runs) processes.insert(run.process);
  return {processes.begin(), processes.end()};
}

/// Whether a span is called as a function of CUDA's or ROCm's runtime or driver: hipLaunchKernel, cuMemcpyAsync.
bool isNamedCall(std::string_view name) {
  const auto continues = [&](std::string_view prefix) {
    return name.size() > prefix.size() && name.starts_with(prefix) && name[prefix.size()] >= 'A' &&
           name[prefix.size()] <= 'Z';
  };
  return continues("hip") || continues("cuda") || continues("cu") || name.starts_with("hsa_");
}

/// The innermost call that is open at that time: by category, or with `by_name` in a file that has no such categories.
std::optional<Span> callAt(const Trace& trace, const Track& track, Nanoseconds time, bool by_name) {
  constexpr int kDeepest = 64;
  std::size_t at = track.spans.firstAfter(time);
  for (int i = 0; i < kDeepest && at > 0; ++i) {
    const Span span = track.spans[--at];
    if (span.end >= time && (by_name ? isNamedCall(trace.nameOf(span)) : span.category == Category::Runtime))
      return span;
  }
  return std::nullopt;
}

std::optional<std::size_t> workAt(const Track& track, Nanoseconds time) {
  constexpr std::size_t kDeepest = 64;
  const std::size_t first = track.spans.firstFrom(time);
  for (std::size_t at = first; at < std::min(first + kDeepest, track.spans.size()) && track.spans.startOf(at) == time;
       ++at)
    if (isGpuWork(track.spans[at].category)) return at;
  return std::nullopt;
}

bool isKernel(const Span& span) {
  return span.category == Category::Kernel || span.category == Category::Communication;
}

struct WorkPlace {
  std::size_t track = 0;
  std::size_t span = 0;
  std::int64_t correlation = 0;
};

class LaunchJoin {
 public:
  LaunchJoin(ImportedTrace& imported, Trace& trace)
      : m_imported(imported),
        m_trace(trace),
        m_calls(callsOf(imported, trace)),
        m_runs(runsOf(m_calls)),
        m_families(imported.processes, processesOf(m_runs)),
        m_call_of(trace.tracks.size()),
        m_marks(trace.tracks.size()),
        m_before(trace.tracks.size()) {
    std::map<std::pair<int, int>, int> gpus;
    for (std::size_t track = 0; track < trace.tracks.size(); ++track)
      m_gpu_of.push_back(
          gpus.try_emplace({trace.tracks[track].lane, imported.rows[track].device}, static_cast<int>(gpus.size()))
              .first->second);
    m_gpus.resize(gpus.size());
  }

  JoinedLaunches run() {
    std::vector<WorkPlace> unclear;
    eachCorrelated(m_imported, m_trace, [&](std::size_t track, std::size_t i, std::int64_t correlation) {
      if (!isGpuWork(m_trace.tracks[track].spans[i].category)) return;
      if (!join({track, i, correlation}, false)) unclear.push_back({track, i, correlation});
    });
    for (const WorkPlace& place : unclear)
      if (!join(place, true)) leaveOpen(place);
    markAll();
    byFlow();
    apply();
    setLaunchers();
    countUnknown();
    return m_result;
  }

 private:
  using Candidates = std::vector<std::uint32_t>;  ///< places of calls, one a process

  /// How much work of a GPU begins where relative to its call.
  struct GpuClock {
    std::int64_t joined = 0;
    std::int64_t far = 0;
    bool mostlyFar() const { return far * 2 > joined; }
  };

  /// Of the calls of a process with one id the one that began last before the time, else the first one.
  std::uint32_t callOf(const CallRun& run, Nanoseconds start) const {
    const auto first = m_calls.begin() + run.first;
    const auto later = std::ranges::upper_bound(first, m_calls.begin() + run.last, start, {}, &Call::start);
    return static_cast<std::uint32_t>((later == first ? later : later - 1) - m_calls.begin());
  }

  /// The processes among which the launcher of a row's work is; empty: all of them.
  const std::vector<std::uint32_t>& launchersOf(const ImportedRow& row) {
    const std::uint32_t process = row.launcher.value_or(row.process);
    const auto [known, fresh] = m_closest.try_emplace(row.launcher ? ~process : process);
    if (fresh) known->second = row.launcher ? std::vector<std::uint32_t>{process} : m_families.closest(process);
    return known->second;
  }

  /// One call of each process that may have launched the work. Nothing if there are too many.
  std::optional<Candidates> candidatesOf(const WorkPlace& place, Nanoseconds start) {
    const auto key = [](const CallRun& run) { return std::pair(run.correlation, run.process); };
    Candidates candidates;
    const std::vector<std::uint32_t>& launchers = launchersOf(m_imported.rows[place.track]);
    for (const std::uint32_t process : launchers) {
      const auto run = std::ranges::lower_bound(m_runs, std::pair(place.correlation, process), {}, key);
      if (run != m_runs.end() && key(*run) == std::pair(place.correlation, process))
        candidates.push_back(callOf(*run, start));
    }
    if (!launchers.empty()) return candidates;
    auto run = std::ranges::lower_bound(m_runs, place.correlation, {}, &CallRun::correlation);
    const std::ptrdiff_t behind = m_runs.end() - run;
    if (behind > kMostProcesses && (run + kMostProcesses)->correlation == place.correlation) return std::nullopt;
    for (; run != m_runs.end() && run->correlation == place.correlation; ++run)
      candidates.push_back(callOf(*run, start));
    return candidates;
  }

  /// Whether it is known which call launched the work, if any. The second time, calls that surely launched work of
  /// another GPU are out of the question.
  bool join(const WorkPlace& place, bool again) {
    const Nanoseconds start = m_trace.tracks[place.track].spans.startOf(place.span);
    std::optional<Candidates> found = candidatesOf(place, start);
    if (!found) return false;
    Candidates& candidates = *found;
    const auto drop = [&](const auto& impossible) {
      if (candidates.size() > 1) std::erase_if(candidates, impossible);
    };
    drop([&](std::uint32_t call) { return m_calls[call].start > start + kSkew; });
    const int gpu = m_gpu_of[place.track];
    if (again) drop([&](std::uint32_t call) { return m_calls[call].gpu >= 0 && m_calls[call].gpu != gpu; });
    if (candidates.size() > 1) return false;
    if (candidates.empty()) return true;
    m_calls[candidates.front()].gpu = gpu;
    of(m_call_of, place.track, kNoCall)[place.span] = candidates.front();
    return true;
  }

  void leaveOpen(const WorkPlace& place) {
    of(m_marks, place.track, Nanoseconds{0})[place.span] = kOpen;
    m_result.ambiguous += isKernel(m_trace.tracks[place.track].spans[place.span]) ? 1 : 0;
    m_open_kernels += isKernel(m_trace.tracks[place.track].spans[place.span]) ? 1 : 0;
  }

  template <class Visit>
  void eachJoined(const Visit& visit) {
    for (std::size_t track = 0; track < m_call_of.size(); ++track)
      for (std::size_t i = 0; i < m_call_of[track].size(); ++i)
        if (m_call_of[track][i] != kNoCall) visit(track, i, m_calls[m_call_of[track][i]]);
  }

  void markAll() {
    eachJoined([&](std::size_t track, std::size_t i, Call& call) {
      const Nanoseconds start = m_trace.tracks[track].spans.startOf(i);
      GpuClock& clock = m_gpus[static_cast<std::size_t>(m_gpu_of[track])];
      ++clock.joined;
      if (start < call.start - kSkew) {
        clock.far += start < call.start - kFar ? 1 : 0;
      } else {
        call.first_work = std::min(call.first_work, start);
      }
    });
    eachJoined([&](std::size_t track, std::size_t i, const Call& call) {
      const Nanoseconds early = call.start - m_trace.tracks[track].spans.startOf(i);
      if (early > kSkew) {
        noteBefore(track, i, early);
      } else {
        of(m_marks, track, Nanoseconds{0})[i] = std::min(call.end, std::max(call.first_work, call.start));
      }
      ++m_launchers[track][call.process];
    });
  }

  void noteBefore(std::size_t track, std::size_t i, Nanoseconds early) {
    const bool out = early > kFar && !m_gpus[static_cast<std::size_t>(m_gpu_of[track])].mostlyFar();
    ++(out ? m_result.left_out : m_result.before);
    of(m_marks, track, Nanoseconds{0})[i] = kOpen;
    if (out) m_before[track].push_back(i);
    m_open_kernels += !out && isKernel(m_trace.tracks[track].spans[i]) ? 1 : 0;
    if (early <= m_result.before_most) return;
    m_result.before_most = early;
    m_result.before_name = m_trace.tracks[track].spans[i].name;
  }

  /// Of work that no correlation id joins. Arrows with several begins are those of several processes.
  void byFlow() {
    const std::vector<ImportedFlowEnd>& ends = m_imported.flow_ends;
    const bool by_name = !ends.empty() && !hasCalls(m_trace);
    for (auto first = ends.begin(); first != ends.end();) {
      const auto last = std::find_if(first, ends.end(), [&](const auto& end) { return end.flow != first->flow; });
      const auto begins = std::find_if(first, last, [](const auto& end) { return end.phase != 's'; });
      if (begins - first == 1 && first->row < m_trace.tracks.size())
        if (const auto call = callAt(m_trace, m_trace.tracks[first->row], first->time, by_name))
          for (auto end = begins; end != last; ++end) markAt(*end, *call, m_imported.rows[first->row].process);
      first = last;
    }
  }

  void markAt(const ImportedFlowEnd& end, const Span& call, std::uint32_t process) {
    if (end.row >= m_trace.tracks.size()) return;
    const Track& track = m_trace.tracks[end.row];
    const auto work = workAt(track, end.time);
    if (!work || track.spans[*work].mark != 0 || of(m_marks, end.row, Nanoseconds{0})[*work] != 0) return;
    m_marks[end.row][*work] =
        end.time + kSkew < call.start ? kOpen : std::min(call.end, std::max(end.time, call.start));
    ++m_launchers[end.row][process];
  }

  void apply() {
    LeftOutWork left_out;
    for (std::size_t track = 0; track < m_marks.size(); ++track) {
      if (m_marks[track].empty()) continue;
      std::vector<Span> spans = m_trace.tracks[track].spans.toVector();
      for (std::size_t i = 0; i < spans.size(); ++i)
        if (m_marks[track][i] != 0) spans[i].mark = m_marks[track][i] == kOpen ? 0 : m_marks[track][i];
      for (const std::size_t place : m_before[track]) left_out.add(track, spans[place].range());
      takeOut(spans, m_before[track]);
      takeOut(m_imported.rows[track].correlations, m_before[track]);
      takeOut(m_imported.rows[track].groups, m_before[track]);
      m_trace.tracks[track].spans = spans;
    }
    std::move(left_out).removeArrows(m_imported, [](const ImportedFlowEnd& end) { return std::uint64_t{end.row}; });
  }

  /// The values at these places, which ascend.
  template <class Value>
  static void takeOut(std::vector<Value>& values, const std::vector<std::size_t>& places) {
    auto next = places.begin();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (next != places.end() && *next == i) {
        ++next;
      } else {
        values[kept++] = values[i];
      }
    }
    values.resize(kept);
  }

  /// A row with work of several processes has no launcher: a file that named one would lose the others' launches.
  void setLaunchers() {
    for (const auto& [track, counts] : m_launchers) {
      std::optional<std::uint32_t>& launcher = m_imported.rows[track].launcher;
      if (!launcher && counts.size() == 1) launcher = counts.begin()->first;
    }
  }

  void countUnknown() {
    for (const Track& track : m_trace.tracks)
      if (track.kind == Track::Kind::Stream)
        m_result.without +=
            std::ranges::count_if(track.spans, [](const Span& span) { return isKernel(span) && span.mark == 0; });
    m_result.without -= m_open_kernels;
  }

  template <class Value>
  std::vector<Value>& of(std::vector<std::vector<Value>>& by_track, std::size_t track, Value none) {
    if (by_track[track].empty()) by_track[track].resize(m_trace.tracks[track].spans.size(), none);
    return by_track[track];
  }

  /// A mark that says that the launch is not known for sure.
  static constexpr Nanoseconds kOpen = std::numeric_limits<Nanoseconds>::min();

  ImportedTrace& m_imported;
  Trace& m_trace;
  std::vector<Call> m_calls;
  std::vector<CallRun> m_runs;
  ProcessFamilies m_families;
  std::map<std::uint32_t, std::vector<std::uint32_t>> m_closest;  ///< by process of a GPU
  std::vector<int> m_gpu_of;                                      ///< by track
  std::vector<GpuClock> m_gpus;
  std::vector<std::vector<std::uint32_t>> m_call_of;  ///< by track: none, or one a span
  std::vector<std::vector<Nanoseconds>> m_marks;      ///< the same; 0 where the span keeps what it has
  std::vector<std::vector<std::size_t>> m_before;     ///< by track: places of spans that are taken out
  std::map<std::size_t, std::map<std::uint32_t, std::int64_t>> m_launchers;  ///< by track: work by process
  std::int64_t m_open_kernels = 0;  ///< in the trace, whose launch is in the file and unclear
  JoinedLaunches m_result;
};

}  // namespace

JoinedLaunches joinLaunches(ImportedTrace& imported, Trace& trace) { return LaunchJoin(imported, trace).run(); }

}  // namespace lanelab
