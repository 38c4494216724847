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

/// What a lane did in its window, in any order.
struct DraftTime {
  TimeRange window;
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

LaneTime laneTimeOf(std::string name, DraftTime draft, const PartOrder& order) {
  LaneTime lane{std::move(name), draft.window.length(), {}};
  std::vector<TimeRange> taken;
  Nanoseconds covered = 0;
  for (const TimePart part : order) {
    if (draft[part].empty()) continue;
    taken = bothOf(std::move(taken), unionOf(std::move(draft[part])));
    const Nanoseconds with = coveredTime(taken, draft.window);
    lane.parts[static_cast<std::size_t>(part)] = with - covered;
    covered = with;
  }
  lane.parts[static_cast<std::size_t>(TimePart::Idle)] = lane.window - covered;
  return lane;
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

TimeOverview overviewOfTrace(const Trace& trace, const CountedTimes& times) {
  std::vector<DraftTime> drafts;
  for (const TimeRange& window : times.lanes) drafts.push_back({window});
  for (const Track& track : trace.tracks) {
    if (!matters(track) || trace.laneAt(track.lane) == nullptr) continue;
    DraftTime& draft = drafts[static_cast<std::size_t>(track.lane)];
    for (const Span& span : track.spans)
      if (span.category != Category::Wait && span.category != Category::Step)
        draft.add(partOf(span, track), span.range());
  }
  TimeOverview overview;
  const std::vector<bool> used = lanesInUse(trace);
  for (std::size_t lane = 0; lane < drafts.size(); ++lane) {
    if (!used[lane]) continue;
    const LaneInfo& info = trace.lanes[lane];
    overview.lanes.push_back(laneTimeOf(info.name.empty() ? info.device : info.name, std::move(drafts[lane]), kUsual));
  }
  return overview;
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
  if (work.lanes.empty()) return overviewOfTrace(trace, times);
  const HostTimes hosts(trace, imported);
  TimeOverview overview;
  for (std::size_t lane = 0; lane < work.lanes.size(); ++lane) {
    const ImportedLane& of = work.lanes[lane];
    DraftTime draft = workOf(of, times.lanes[lane]);
    if (work.gpus) hosts.addOfLauncher(of.launcher, draft);
    for (std::size_t i = 0; !work.gpus && i < of.tracks.size(); ++i) hosts.addOfTrack(of.tracks[i], false, draft);
    overview.lanes.push_back(laneTimeOf(of.name, std::move(draft), work.gpus ? kUsual : kLoaderFirst));
  }
  return overview;
}

}  // namespace lanelab
