// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "profiler/analysis/cause_shares.h"
#include "profiler/analysis/causes_within.h"
#include "profiler/analysis/gap_walk.h"
#include "profiler/analysis/replica_lanes.h"
#include "profiler/analysis/replica_waits.h"
#include "profiler/analysis/traced_actions.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {

namespace {

/// What a lane's host did, and its collectives, by category: sorted and disjoint.
struct HostWork {
  std::array<std::vector<TimeRange>, static_cast<std::size_t>(Category::Other)> ranges;
  std::vector<TimeRange>& of(Category category) { return ranges[static_cast<std::size_t>(category)]; }
};

std::vector<HostWork> hostWorkOf(const Trace& trace) {
  std::vector<HostWork> lanes(trace.lanes.size());
  for (const Track& track : trace.tracks) {
    if (trace.laneAt(track.lane) == nullptr) continue;
    HostWork& lane = lanes[static_cast<std::size_t>(track.lane)];
    for (std::size_t i = 0; i < track.spans.size();) {
      const std::size_t end = track.spans.categoryEnd(i);
      const Category category = track.spans[i].category;
      const bool shown = isHostWork(category) || category == Category::Communication;
      for (std::size_t k = i; k < end && shown; ++k) lane.of(category).push_back(track.spans[k].range());
      i = end;
    }
  }
  // While one lane evaluates, no lane trains.
  std::vector<TimeRange> evaluations;
  for (HostWork& lane : lanes) std::ranges::copy(lane.of(Category::Evaluation), std::back_inserter(evaluations));
  for (HostWork& lane : lanes) {
    lane.of(Category::Evaluation) = evaluations;
    for (std::vector<TimeRange>& ranges : lane.ranges) ranges = unionOf(std::move(ranges));
  }
  return lanes;
}

/// "cuda:0/sm:32" is a part of "cuda:0", which it shares with the other parts.
std::string_view deviceOf(const LaneInfo& lane) {
  return std::string_view(lane.device).substr(0, lane.device.find('/'));
}

class ActionCauses {
 public:
  ActionCauses(const Trace& trace, const TracedActions& traced, std::optional<WindowKind> windows)
      : m_trace(trace),
        m_traced(traced),
        m_host(hostWorkOf(trace)),
        m_overlap(m_traced.stretches.size() < m_traced.windows.size()),
        m_windows(windows.value_or(m_overlap ? WindowKind::Period : WindowKind::Step)) {
    for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) m_busy.push_back(busyOf(lane));
    findSharedDevices();
    findLastEnds();
    findMeetings();
  }

  /// `actions` are those of this trace.
  IdleCauses explain(const PreparedActions& actions) {
    const CauseShares shares(m_trace, actions);
    IdleCauses result;
    result.window_kind = m_windows;
    noteOrder(result);
    result.replicas = !replicasOfLanes(m_trace).empty() || !replicaWaits(m_traced, m_busy.size()).empty();
    std::vector<std::vector<StepWindow>> periods;
    if (m_windows == WindowKind::Period) periods = lanePeriods(m_trace);
    const std::vector<bool> used = lanesInUse(m_trace);
    for (std::size_t i = 0; i < m_busy.size(); ++i) {
      if (!used[i]) continue;  // a lane that the variant does not name, or that another process records
      LaneCauses lane;
      lane.lane = static_cast<int>(i);
      lane.name = m_trace.lanes[i].name;
      const auto explain = [&](TimeRange gap, std::uint32_t item, std::size_t stretch) {
        explainGap(i, gap, item, stretch, item == kNoItem ? shares.atEnd(stretch, i) : shares.before(item));
      };
      explainLane(lane, m_busy[i], stretchWindows(i), m_walk, explain,
                  [&](std::uint32_t item) { return m_traced.actions[item].name; });
      if (m_windows == WindowKind::Period) {
        lane = cutToWindows(lane, knownPeriods(i, std::move(periods[i])));
      } else if (m_overlap) {
        lane = cutToWindows(lane, knownWindows(i));
      }
      result.lanes.push_back(std::move(lane));
    }
    result.processors = std::ranges::all_of(result.lanes, [&](const LaneCauses& lane) {
      return deviceOf(m_trace.lanes[static_cast<std::size_t>(lane.lane)]).starts_with("cpu");
    });
    return result;
  }

  /// How long each cause held the actions back, once their lane was free and their input there.
  CauseDelays delays() {
    CauseDelays delays;
    for (std::size_t lane = 0; lane < m_busy.size(); ++lane) {
      const std::vector<StepWindow> windows = stretchWindows(lane);
      for (std::size_t stretch = 0; stretch < windows.size(); ++stretch) {
        visitGaps(m_busy[lane], windows[stretch].range, [&](TimeRange gap, std::uint32_t item) {
          if (item == kNoItem) return;
          for (const CausePiece& piece : shownIn(lane, gap, item, stretch))
            if (holdsBack(item, piece)) addDelay(delays, item, piece);
        });
      }
    }
    return delays;
  }

 private:
  void noteOrder(IdleCauses& result) const {
    std::vector<int> stage_of_lane(m_busy.size(), -1);
    for (const TracedAction& action : m_traced.actions) {
      if (action.stage < 0) continue;
      int& stage = stage_of_lane[static_cast<std::size_t>(action.lane)];
      if (stage < 0) stage = action.stage;
      if (stage != action.stage) result.interleaves = true;
      if (action.phase == Phase::BackwardInput || action.phase == Phase::BackwardWeight) result.splits_backward = true;
    }
  }

  /// Of a step in progress nobody knows yet why a lane idles after its last action, so its window ends there.
  TimeRange knownPart(std::size_t lane, TimeRange range) const {
    const std::vector<BusyPiece>& busy = m_busy[lane];
    return {range.start, busy.empty() ? range.start : std::clamp(busy.back().range.end, range.start, range.end)};
  }

  /// One for each stretch, with its first step.
  std::vector<StepWindow> stretchWindows(std::size_t lane) const {
    std::vector<StepWindow> windows;
    windows.reserve(m_traced.stretches.size());
    for (const Stretch& stretch : m_traced.stretches)
      windows.push_back({m_traced.windows[stretch.first].step, stretch.range});
    if (!windows.empty() && inProgress(m_trace, m_traced.windows.back().step))
      windows.back().range = knownPart(lane, windows.back().range);
    return windows;
  }

  std::vector<StepWindow> knownPeriods(std::size_t lane, std::vector<StepWindow> periods) const {
    if (periods.empty() || !mayBeCut(m_trace)) return periods;
    const Nanoseconds end = stretchWindows(lane).back().range.end;
    const int first = m_traced.windows[m_traced.stretches.back().first].step;
    for (StepWindow& period : periods)
      if (period.step >= first) period.range.end = std::min(period.range.end, end);
    return periods;
  }

  std::vector<StepWindow> knownWindows(std::size_t lane) const {
    std::vector<StepWindow> windows = m_traced.windows;
    // Those in progress are the last ones.
    for (auto window = windows.rbegin(); window != windows.rend() && inProgress(m_trace, window->step); ++window)
      window->range = knownPart(lane, window->range);
    return windows;
  }

  std::vector<BusyPiece> busyOf(std::size_t lane) const {
    std::vector<BusyPiece> pieces;
    pieces.reserve(m_traced.lane_begins[lane + 1] - m_traced.lane_begins[lane]);
    for (std::size_t item = m_traced.lane_begins[lane]; item < m_traced.lane_begins[lane + 1]; ++item)
      pieces.push_back({m_traced.actions[item].range, static_cast<std::uint32_t>(item)});
    return joinedPieces(std::move(pieces));
  }

  /// In a gap of one lane, whatever runs on its device is another's, so one union serves all lanes of the device.
  void findSharedDevices() {
    std::map<std::string_view, std::vector<std::size_t>> lanes_of;
    for (std::size_t lane = 0; lane < m_busy.size(); ++lane)
      if (!m_trace.lanes[lane].device.empty()) lanes_of[deviceOf(m_trace.lanes[lane])].push_back(lane);
    m_device_of_lane.assign(m_busy.size(), kNoItem);
    for (const auto& [device, lanes] : lanes_of) {
      if (lanes.size() < 2) continue;
      std::vector<TimeRange> ranges;
      for (const std::size_t lane : lanes) {
        for (const BusyPiece& piece : m_busy[lane]) ranges.push_back(piece.range);
        m_device_of_lane[lane] = static_cast<std::uint32_t>(m_device_busy.size());
      }
      m_device_busy.push_back(unionOf(std::move(ranges)));
    }
  }

  void findLastEnds() {
    for (const Stretch& stretch : m_traced.stretches) {
      Nanoseconds last = stretch.range.start;
      for (const std::uint32_t item : m_traced.itemsOf(stretch))
        last = std::max(last, m_traced.actions[item].range.end);
      m_last_ends.push_back(last);
    }
  }

  /// Where each lane was done before an update began, as where all clip their gradients together, it waits for the last
  /// of them, and for the collectives behind their passes; else for the replicas of its stage.
  void findMeetings() {
    for (const auto& [update, others] : replicaWaits(m_traced, m_busy.size()))
      for (const std::uint32_t other : others) noteMeeting(update, m_traced.actions[other].range.end);
    for (std::size_t step = 0; step < m_traced.windows.size(); ++step) {
      Nanoseconds done = kNever;
      for (const std::uint32_t item : m_traced.itemsOf(step))
        if (!isUpdate(item)) done = std::max(done, m_traced.actions[item].range.end);
      for (const std::uint32_t item : m_traced.itemsOf(step))
        if (isUpdate(item) && done != kNever && done <= m_traced.actions[item].range.start)
          noteMeeting(item, std::max(done, lastCollective(m_traced.actions[item], done)));
    }
  }
  /// When the last collective of others ended after all were done, unless the update's lane has one there.
  Nanoseconds lastCollective(const TracedAction& update, Nanoseconds done) {
    Nanoseconds last = kNever;
    for (std::size_t lane = 0; lane < m_host.size(); ++lane) {
      const std::vector<TimeRange>& ranges = m_host[lane].of(Category::Communication);
      const auto later = std::ranges::upper_bound(ranges, update.range.start, {}, &TimeRange::end);
      if (later == ranges.begin() || std::prev(later)->end <= done) continue;
      if (static_cast<int>(lane) == update.lane) return kNever;
      last = std::max(last, std::prev(later)->end);
    }
    return last;
  }
  bool isUpdate(std::uint32_t item) const { return m_traced.actions[item].phase == Phase::Update; }
  void noteMeeting(std::uint32_t update, Nanoseconds time) {
    Nanoseconds& met = m_meetings.try_emplace(update, time).first->second;
    met = std::max(met, time);
  }

  /// What the lane itself shows in the gap. What it waits for upstream, of which the replays find the cause, is jitter
  /// here.
  const std::vector<CausePiece>& shownIn(std::size_t lane, TimeRange gap, std::uint32_t item, std::size_t stretch) {
    HostWork& host = m_host[lane];
    GapWalk& walk = m_shown;
    walk.begin(gap);
    walk.within(host.of(Category::Profiler), Cause::Profiler);
    walk.within(host.of(Category::Evaluation), Cause::Evaluation);
    if (item == kNoItem) {
      walk.until(m_last_ends[stretch], Cause::Jitter);
    } else {
      const TracedAction& action = m_traced.actions[item];
      walk.until(action.produced, action.producer == kNoItem ? Cause::Unresolved : Cause::Jitter);
      walk.until(action.sent, Cause::TransferQueued);
      walk.until(action.arrived, Cause::Transfer);
    }
    walk.within(host.of(Category::Data), Cause::Data);
    walk.within(host.of(Category::Sync), Cause::Sync);
    walk.within(host.of(Category::Allocator), Cause::Allocator);
    walk.within(host.of(Category::Communication), Cause::Communication);
    walk.within(host.of(Category::Host), Cause::Host);
    if (item != kNoItem && m_traced.actions[item].issued != 0) walk.until(m_traced.actions[item].issued, Cause::Host);
    if (m_device_of_lane[lane] != kNoItem) walk.within(m_device_busy[m_device_of_lane[lane]], Cause::Contention);
    if (const auto met = m_meetings.find(item); met != m_meetings.end()) walk.until(met->second, Cause::Sync);
    walk.rest(Cause::Unresolved);
    return walk.pieces();
  }

  /// Once the lane is free and the action's input there.
  bool holdsBack(std::uint32_t item, const CausePiece& piece) const {
    const TracedAction& action = m_traced.actions[item];
    return action.producer == kNoItem || piece.range.start >= std::max(action.produced, action.arrived);
  }

  void addDelay(CauseDelays& delays, std::uint32_t item, const CausePiece& piece) const {
    std::vector<Nanoseconds>& times = delays[static_cast<std::size_t>(piece.cause)];
    if (times.empty()) times.resize(m_traced.actions.size());
    times[item] += piece.range.length();
  }

  /// Gives the gap the causes that the replays found. What the lane itself shows retains its cause, but for waits that
  /// took its place; what replays do not explain, as of odd files, is jitter.
  void explainGap(std::size_t lane, TimeRange gap, std::uint32_t item, std::size_t stretch, GapShares shares) {
    const std::vector<CausePiece>& shown = shownIn(lane, gap, item, stretch);
    for (const CausePiece& piece : shown)
      if (piece.cause != Cause::Jitter) claim(piece, shares, isReplayed(item, piece));
    const Nanoseconds jitter = std::exchange(shares.causes[Cause::Jitter], 0);
    for (std::size_t i = 0; i < kCauseCount; ++i) m_walk.take(shares.causes.times[i], static_cast<Cause>(i));
    m_walk.take(jitter, Cause::Jitter);
    for (const CausePiece& piece : shown) m_walk.within({&piece.range, 1}, piece.cause);
  }

  /// Whether it is a part of what replays play: what comes after all actions, or while an input is awaited, is not.
  bool isReplayed(std::uint32_t item, const CausePiece& piece) const {
    return item != kNoItem &&
           (piece.cause == Cause::TransferQueued || piece.cause == Cause::Transfer || holdsBack(item, piece));
  }

  /// All of the piece, or its end where moved waits took its begin.
  void claim(const CausePiece& piece, GapShares& shares, bool replayed) {
    const Nanoseconds lost = replayed ? std::min(shares.renamed[piece.cause], piece.range.length()) : 0;
    const TimeRange left{piece.range.start + lost, piece.range.end};
    if (!left.empty()) m_walk.within({&left, 1}, piece.cause);
    if (!replayed) return;
    shares.renamed[piece.cause] -= lost;
    shares.causes[piece.cause] -= std::min(left.length(), shares.causes[piece.cause]);
  }

  const Trace& m_trace;
  const TracedActions& m_traced;
  std::vector<HostWork> m_host;
  bool m_overlap;  ///< steps do
  WindowKind m_windows;
  std::vector<std::vector<BusyPiece>> m_busy;
  std::vector<std::vector<TimeRange>> m_device_busy;
  std::vector<std::uint32_t> m_device_of_lane;  ///< in m_device_busy; kNoItem where the lane has the device for itself
  std::vector<Nanoseconds> m_last_ends;         ///< by stretch, of its actions
  std::map<std::uint32_t, Nanoseconds> m_meetings;  ///< by update: when the last lane that it waits for was done
  GapWalk m_walk;
  GapWalk m_shown;
};

}  // namespace

PreparedActions prepareActions(const Trace& trace) {
  PreparedActions actions;
  actions.traced = tracedActions(trace);
  actions.usual = usualLengths(trace, actions.traced);
  actions.delays = ActionCauses(trace, actions.traced, std::nullopt).delays();
  return actions;
}

IdleCauses explainActions(const Trace& trace, std::optional<WindowKind> windows) {
  return explainActions(trace, prepareActions(trace), windows);
}

IdleCauses explainActions(const Trace& trace, const PreparedActions& actions, std::optional<WindowKind> windows) {
  return ActionCauses(trace, actions.traced, windows).explain(actions);
}

}  // namespace lanelab
