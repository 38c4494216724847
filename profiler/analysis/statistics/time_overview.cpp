// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/time_overview.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

namespace {

using PartOrder = std::array<TimePart, 6>;
constexpr PartOrder kUsual = {TimePart::Compute, TimePart::Communication, TimePart::Memory,
                              TimePart::Data,    TimePart::Host,          TimePart::Other};
constexpr PartOrder kLoaderFirst = {TimePart::Data,   TimePart::Compute, TimePart::Communication,
                                    TimePart::Memory, TimePart::Host,    TimePart::Other};

/// What a lane did in its window, in any order, and which part goes before which.
struct DraftTime {
  TimeRange window;
  const PartOrder* order = &kUsual;
  std::string name = {};
  std::array<std::vector<TimeRange>, kTimePartCount> ranges = {};

  std::vector<TimeRange>& operator[](TimePart part) { return ranges[static_cast<std::size_t>(part)]; }
  void add(TimePart part, TimeRange range) {
    if (range.start < window.end && range.end > window.start) (*this)[part].push_back(range);
  }
};

/// Both sorted and disjoint.
std::vector<TimeRange> bothOf(std::vector<TimeRange> a, const std::vector<TimeRange>& b) {
  const auto middle = static_cast<std::ptrdiff_t>(a.size());
  a.insert(a.end(), b.begin(), b.end());
  const auto startsFirst = [](const TimeRange& x, const TimeRange& y) { return x.start < y.start; };
  std::inplace_merge(a.begin(), a.begin() + middle, a.end(), startsFirst);
  return unionOf(std::move(a));
}

/// How much of a window sorted and disjoint ranges cover, in log n.
class Coverage {
 public:
  explicit Coverage(const std::vector<TimeRange>& ranges) : m_ranges(ranges) {
    m_before.reserve(ranges.size());
    Nanoseconds sum = 0;
    for (const TimeRange& range : ranges) {
      m_before.push_back(sum);
      sum += range.length();
    }
  }

  Nanoseconds within(TimeRange window) const { return window.empty() ? 0 : until(window.end) - until(window.start); }

 private:
  Nanoseconds until(Nanoseconds time) const {
    const auto later = std::ranges::upper_bound(m_ranges, time, {}, &TimeRange::start);
    if (later == m_ranges.begin()) return 0;
    const auto last = static_cast<std::size_t>(later - m_ranges.begin()) - 1;
    return m_before[last] + std::min(time, m_ranges[last].end) - m_ranges[last].start;
  }

  const std::vector<TimeRange>& m_ranges;
  std::vector<Nanoseconds> m_before;
};

/// By window, all of which are within that of the draft.
std::vector<PartTimes> partTimesOf(DraftTime draft, const std::vector<TimeRange>& windows) {
  std::vector<PartTimes> times(windows.size());
  std::vector<Nanoseconds> covered(windows.size());
  std::vector<TimeRange> taken;
  for (const TimePart part : *draft.order) {
    if (draft[part].empty()) continue;
    taken = bothOf(std::move(taken), unionOf(std::move(draft[part])));
    const Coverage coverage(taken);
    for (std::size_t i = 0; i < windows.size(); ++i) {
      const Nanoseconds with = coverage.within(windows[i]);
      times[i][static_cast<std::size_t>(part)] = with - covered[i];
      covered[i] = with;
    }
  }
  for (std::size_t i = 0; i < windows.size(); ++i)
    times[i][static_cast<std::size_t>(TimePart::Idle)] = windows[i].length() - covered[i];
  return times;
}

/// The loader of a training loop, as PyTorch's profiler names it.
bool namesLoader(std::string_view name) { return name.starts_with("enumerate(DataLoader)"); }

std::vector<bool> loaderNames(const Trace& trace) {
  std::vector<bool> loaders;
  loaders.reserve(trace.names.size());
  for (const std::string& name : trace.names) loaders.push_back(namesLoader(name));
  return loaders;
}

bool isHost(Category category) {
  return category == Category::Host || category == Category::Sync || category == Category::Allocator ||
         category == Category::Runtime || category == Category::CpuOp;
}

// Traces whose lanes are those of the trace

/// What replicas send each other and wait for is recorded as synchronisation on a row of its own.
bool isExchange(const Track& track) { return track.kind == Track::Kind::Host && track.name == "replicas"; }

TimePart partOf(const Span& span, const Track& track) {
  switch (span.category) {
    case Category::Action: return TimePart::Compute;
    case Category::Transfer:
    case Category::Communication: return TimePart::Communication;
    case Category::Memcpy:
    case Category::Memset: return TimePart::Memory;
    case Category::Data: return TimePart::Data;
    default: break;
  }
  if (isExchange(track)) return TimePart::Communication;
  return isHost(span.category) ? TimePart::Host : TimePart::Other;
}

/// Blocks and operators of a Detail track are within actions.
bool matters(const Track& track) { return track.kind != Track::Kind::Detail && track.kind != Track::Kind::Step; }

/// By lane of the trace.
std::vector<DraftTime> draftsOfTrace(const Trace& trace, const std::vector<TimeRange>& windows) {
  std::vector<DraftTime> drafts;
  for (const TimeRange& window : windows) drafts.push_back({window});
  for (const Track& track : trace.tracks) {
    if (!matters(track) || trace.laneAt(track.lane) == nullptr) continue;
    DraftTime& draft = drafts[static_cast<std::size_t>(track.lane)];
    for (const Span& span : track.spans)
      if (span.category != Category::Wait && span.category != Category::Step)
        draft.add(partOf(span, track), span.range());
  }
  for (std::size_t lane = 0; lane < drafts.size(); ++lane) {
    const LaneInfo& info = trace.lanes[lane];
    drafts[lane].name = info.name.empty() ? info.device : info.name;
  }
  return drafts;
}

// Traces of other programs

DraftTime workOf(const ImportedLane& lane, TimeRange window) {
  DraftTime draft{window};
  for (const ImportedWork& work : lane.work) draft.add(TimePart::Compute, work.range);
  for (const TimeRange& range : lane.communication) draft.add(TimePart::Communication, range);
  for (const TimeRange& range : lane.memsets) draft.add(TimePart::Memory, range);
  for (const std::vector<TimeRange>& copies : lane.copies)
    for (const TimeRange& range : copies) draft.add(TimePart::Memory, range);
  return draft;
}

/// What hosts did, track by track.
class HostTimes {
 public:
  HostTimes(const Trace& trace, const ImportedTrace* imported)
      : m_trace(trace), m_imported(imported), m_loaders(loaderNames(trace)) {}

  /// Of a GPU: what the process did that launched its work, as the file names it, or the only one that launches any.
  void addOfLauncher(std::optional<std::uint32_t> launcher, DraftTime& draft) const {
    const std::optional<std::uint32_t> process = launcher ? launcher : onlyCaller();
    for (std::uint32_t track = 0; process && track < m_trace.tracks.size(); ++track)
      if (processOf(track) == process) addOfTrack(track, true, draft);
  }
  /// Of a thread, whose operators are its compute.
  void addOfTrack(std::uint32_t track, bool with_operators, DraftTime& draft) const {
    if (m_trace.tracks[track].kind == Track::Kind::Stream) return;
    for (const Span& span : m_trace.tracks[track].spans) {
      if (m_loaders[span.name] || span.category == Category::Data)
        draft.add(TimePart::Data, span.range());
      else if (isHost(span.category) && (with_operators || span.category != Category::CpuOp))
        draft.add(TimePart::Host, span.range());
    }
  }

 private:
  std::optional<std::uint32_t> processOf(std::uint32_t track) const {
    if (m_imported == nullptr || track >= m_imported->rows.size()) return std::nullopt;
    return m_imported->rows[track].process;
  }
  std::optional<std::uint32_t> onlyCaller() const {
    std::optional<std::uint32_t> only;
    for (std::uint32_t track = 0; track < m_trace.tracks.size(); ++track) {
      const SpanColumns& spans = m_trace.tracks[track].spans;
      const auto calls = [](const Span& span) { return span.category == Category::Runtime; };
      if (!processOf(track) || processOf(track) == only || !std::any_of(spans.begin(), spans.end(), calls)) continue;
      if (only) return std::nullopt;
      only = processOf(track);
    }
    return only;
  }

  const Trace& m_trace;
  const ImportedTrace* m_imported;
  std::vector<bool> m_loaders;  ///< by place in Trace::names
};

std::vector<DraftTime> draftsOf(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work,
                                const std::vector<TimeRange>& windows) {
  if (work.lanes.empty()) return draftsOfTrace(trace, windows);
  const HostTimes hosts(trace, imported);
  std::vector<DraftTime> drafts;
  for (std::size_t lane = 0; lane < work.lanes.size(); ++lane) {
    const ImportedLane& of = work.lanes[lane];
    DraftTime draft = workOf(of, windows[lane]);
    if (work.gpus) hosts.addOfLauncher(of.launcher, draft);
    for (std::size_t i = 0; !work.gpus && i < of.tracks.size(); ++i) hosts.addOfTrack(of.tracks[i], false, draft);
    draft.order = work.gpus ? &kUsual : &kLoaderFirst;
    draft.name = of.name;
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

/// Places of the lanes that have a row in tables.
std::vector<std::size_t> shownLanes(const Trace& trace, const LanesOfWork& work) {
  const std::vector<bool> used = work.lanes.empty() ? lanesInUse(trace) : std::vector<bool>(work.lanes.size(), true);
  std::vector<std::size_t> lanes;
  for (std::size_t lane = 0; lane < used.size(); ++lane)
    if (used[lane]) lanes.push_back(lane);
  return lanes;
}

}  // namespace

LaneTime TimeOverview::sum() const {
  LaneTime sum;
  for (const LaneTime& lane : lanes) {
    sum.window += lane.window;
    for (std::size_t part = 0; part < kTimePartCount; ++part) sum.parts[part] += lane.parts[part];
  }
  return sum;
}

TimeOverview timeOverview(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work,
                          const CountedTimes& times) {
  TimeOverview overview;
  std::vector<DraftTime> drafts = draftsOf(trace, imported, work, times.lanes);
  for (const std::size_t lane : shownLanes(trace, work)) {
    const TimeRange window = times.lanes[lane];
    LaneTime time{std::move(drafts[lane].name), window.length(), {}};
    time.parts = partTimesOf(std::move(drafts[lane]), {window}).front();
    overview.lanes.push_back(std::move(time));
  }
  return overview;
}

std::vector<LaneSteps> laneTimesByStep(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work,
                                       const StepsOfTracks& steps) {
  std::vector<LaneSteps> lanes;
  std::vector<DraftTime> drafts =
      draftsOf(trace, imported, work, std::vector<TimeRange>(steps.of_lane.size(), trace.range()));
  for (const std::size_t lane : shownLanes(trace, work)) {
    LaneSteps of{std::move(drafts[lane].name), steps.windows[steps.of_lane[lane]], {}};
    if (of.windows.empty()) of.windows.push_back({-1, trace.range()});
    std::vector<TimeRange> windows;
    windows.reserve(of.windows.size());
    for (const StepWindow& step : of.windows) windows.push_back(step.range);
    of.parts = partTimesOf(std::move(drafts[lane]), windows);
    lanes.push_back(std::move(of));
  }
  return lanes;
}

}  // namespace lanelab
