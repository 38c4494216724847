// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "profiler/analysis/causes_within.h"
#include "profiler/analysis/gap_walk.h"
#include "profiler/analysis/traced_actions.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {

namespace {

/// How long a lane idles at one place, by replay.
struct ReplayedGap {
  Nanoseconds equal = 0;   ///< all stages alike
  Nanoseconds staged = 0;  ///< each stage with its own mean times
};

struct Replay {
  std::vector<ReplayedGap> before_action;  ///< one for each of TracedActions::actions
  std::vector<ReplayedGap> at_end;         ///< by stretch and lane: stretch * lanes + lane
};

constexpr std::size_t kPhaseCount = 6;

struct Mean {
  double sum = 0;
  double count = 0;
  void add(Nanoseconds length) {
    sum += static_cast<double>(length);
    count += 1;
  }
  double value() const { return sum / count; }
};

std::size_t phaseOf(const TracedAction& action) { return static_cast<std::size_t>(action.phase) % kPhaseCount; }
std::size_t stageAndPhase(const TracedAction& action) {
  return static_cast<std::size_t>(std::max(action.stage + 1, 0)) * kPhaseCount + phaseOf(action);
}

/// A time of each replay. Means are no whole nanoseconds; doubles hold them exactly enough for any step (2^53 ns are
/// 104 days).
struct Times {
  double equal = 0;
  double staged = 0;
  Times operator+(const Times& other) const { return {equal + other.equal, staged + other.staged}; }
  Times operator-(const Times& other) const { return {equal - other.equal, staged - other.staged}; }
};

Times later(const Times& a, const Times& b) { return {std::max(a.equal, b.equal), std::max(a.staged, b.staged)}; }
ReplayedGap rounded(const Times& idle) { return {std::llround(idle.equal), std::llround(idle.staged)}; }

/// Steps replayed in thought: the same actions in the same order, each as soon as its lane is free and its producer has
/// ended, without transfers and delays; lanes meet only where one stretch ends and the next begins. Once every action
/// takes the mean of its phase over all stages of its step, once the mean of its stage and phase. What still is idle is
/// what the order of the actions costs, in the first replay, and what unequal stages add to it, in the second.
///
/// A producer that began after the action that takes its result (imported files) is not waited for, so there is no
/// order that hangs. The gap before an action includes those before the actions without length that go directly before
/// it, since these begin nothing.
class Replayer {
 public:
  Replayer(const Trace& trace, const TracedActions& traced)
      : m_trace(trace),
        m_traced(traced),
        m_lanes(trace.lanes.size()),
        m_lengths(traced.actions.size()),
        m_ends(traced.actions.size()) {
    m_result.before_action.resize(traced.actions.size());
    m_result.at_end.resize(traced.stretches.size() * m_lanes);
  }

  Replay replay() {
    for (std::size_t stretch = 0; stretch < m_traced.stretches.size(); ++stretch) {
      const Stretch& steps = m_traced.stretches[stretch];
      for (std::size_t step = steps.first; step < steps.first + steps.count; ++step) {
        meanTimes(step);
        setLengths(step);
      }
      replayStretch(stretch);
    }
    return std::move(m_result);
  }

 private:
  void meanTimes(std::size_t step) {
    m_of_phase.fill({});
    for (const std::uint32_t item : m_traced.itemsOf(step)) {
      const TracedAction& action = m_traced.actions[item];
      if (isRunning(action)) continue;
      m_of_phase[phaseOf(action)].add(action.range.length());
      meanOfStage(action).add(action.range.length());
    }
    if (m_trace.live.empty()) return;
    for (const std::uint32_t item : m_traced.itemsOf(step)) addFirst(m_traced.actions[item]);
  }
  /// How long an action in progress will take is not known, so it counts only where nothing else of its kind is known.
  void addFirst(const TracedAction& action) {
    if (!isRunning(action)) return;
    if (Mean& mean = m_of_phase[phaseOf(action)]; mean.count == 0) mean.add(action.range.length());
    if (Mean& mean = meanOfStage(action); mean.count == 0) mean.add(action.range.length());
  }
  bool isRunning(const TracedAction& action) const {
    const LiveLane* const lane = m_trace.live.empty() ? nullptr : m_trace.liveLane(action.lane);
    return lane != nullptr && lane->running == action.range.start;
  }
  Mean& meanOfStage(const TracedAction& action) {
    const std::size_t place = stageAndPhase(action);
    if (place >= m_of_stage.size()) m_of_stage.resize(place + 1);
    return m_of_stage[place];
  }
  /// And forgets the means of the step.
  void setLengths(std::size_t step) {
    for (const std::uint32_t item : m_traced.itemsOf(step)) {
      const TracedAction& action = m_traced.actions[item];
      m_lengths[item] = {m_of_phase[phaseOf(action)].value(), m_of_stage[stageAndPhase(action)].value()};
    }
    for (const std::uint32_t item : m_traced.itemsOf(step)) m_of_stage[stageAndPhase(m_traced.actions[item])] = {};
  }

  void replayStretch(std::size_t stretch) {
    m_free.assign(m_lanes, {});
    m_carried.assign(m_lanes, {});
    Times last;
    for (const std::uint32_t item : m_traced.itemsOf(m_traced.stretches[stretch]))
      last = later(last, replayAction(item));
    for (std::size_t lane = 0; lane < m_lanes; ++lane)
      m_result.at_end[stretch * m_lanes + lane] = rounded(last - m_free[lane] + m_carried[lane]);
  }

  /// When it ends. Actions come in order of their measured start, so a producer has been replayed before.
  Times replayAction(std::uint32_t item) {
    const TracedAction& action = m_traced.actions[item];
    const auto lane = static_cast<std::size_t>(action.lane);
    const Times input = action.producer == kNoItem ? Times{} : m_ends[action.producer];
    const Times start = later(m_free[lane], input);
    Times& idle = m_carried[lane];
    idle = idle + start - m_free[lane];
    m_result.before_action[item] = rounded(idle);
    if (!action.range.empty()) idle = {};
    return m_free[lane] = m_ends[item] = start + m_lengths[item];
  }

  const Trace& m_trace;
  const TracedActions& m_traced;
  std::size_t m_lanes;
  Replay m_result;
  std::vector<Times> m_lengths;  ///< of the actions
  std::vector<Times> m_ends;     ///< of the actions replayed so far; 0 of the others, so that nothing waits for them
  std::vector<Times> m_free;     ///< by lane: when its last action ended
  std::vector<Times> m_carried;  ///< by lane: idle time that the next action with length lies behind
  std::vector<Mean> m_of_stage;  ///< by stage and phase
  std::array<Mean, kPhaseCount> m_of_phase;
};

/// What a lane's host did, by category: sorted and disjoint.
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
      for (std::size_t k = i; k < end && isHostWork(category); ++k) lane.of(category).push_back(track.spans[k].range());
      i = end;
    }
  }
  for (HostWork& lane : lanes)
    for (std::vector<TimeRange>& ranges : lane.ranges) ranges = unionOf(std::move(ranges));
  return lanes;
}

/// "cuda:0/sm:32" is a part of "cuda:0", which it shares with the other parts.
std::string_view deviceOf(const LaneInfo& lane) {
  return std::string_view(lane.device).substr(0, lane.device.find('/'));
}

class ActionCauses {
 public:
  ActionCauses(const Trace& trace, std::optional<WindowKind> windows)
      : m_trace(trace),
        m_traced(tracedActions(trace)),
        m_replay(Replayer(trace, m_traced).replay()),
        m_host(hostWorkOf(trace)),
        m_overlap(m_traced.stretches.size() < m_traced.windows.size()),
        m_windows(windows.value_or(m_overlap ? WindowKind::Period : WindowKind::Step)) {
    for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) m_busy.push_back(busyOf(lane));
    findSharedDevices();
  }

  IdleCauses explain() {
    IdleCauses result;
    result.window_kind = m_windows;
    std::vector<std::vector<StepWindow>> periods;
    if (m_windows == WindowKind::Period) periods = lanePeriods(m_trace);
    for (std::size_t i = 0; i < m_busy.size(); ++i) {
      LaneCauses lane;
      lane.lane = static_cast<int>(i);
      lane.name = m_trace.lanes[i].name;
      const auto explain = [&](TimeRange gap, std::uint32_t item, std::size_t stretch) {
        explainGap(i, gap, item, stretch);
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
    return result;
  }

 private:
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
    if (periods.empty() || m_trace.live.empty()) return periods;
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

  void explainGap(std::size_t lane, TimeRange gap, std::uint32_t item, std::size_t stretch) {
    HostWork& host = m_host[lane];
    m_walk.within(host.of(Category::Profiler), Cause::Profiler);
    if (item == kNoItem) {
      upstream(gap.end, m_replay.at_end[stretch * m_busy.size() + lane], Phase::None);
      return;
    }
    const TracedAction& action = m_traced.actions[item];
    upstream(action.produced, m_replay.before_action[item], action.phase);
    m_walk.until(action.sent, Cause::TransferQueued);
    m_walk.until(action.arrived, Cause::Transfer);
    m_walk.within(host.of(Category::Data), Cause::Data);
    m_walk.within(host.of(Category::Sync), Cause::Sync);
    m_walk.within(host.of(Category::Allocator), Cause::Allocator);
    m_walk.within(host.of(Category::Host), Cause::Host);
    if (action.issued != 0) m_walk.until(action.issued, Cause::Host);
    if (m_device_of_lane[lane] != kNoItem) m_walk.within(m_device_busy[m_device_of_lane[lane]], Cause::Contention);
    m_walk.rest(Cause::Unresolved);
  }

  void upstream(Nanoseconds until, const ReplayedGap& replayed, Phase phase) {
    const std::array<GapWalk::Share, 2> shares{{{phase == Phase::Forward ? Cause::Fill : Cause::Drain, replayed.equal},
                                                {Cause::Imbalance, replayed.staged - replayed.equal}}};
    m_walk.untilShared(until, shares, Cause::Jitter);
  }

  const Trace& m_trace;
  TracedActions m_traced;
  Replay m_replay;
  std::vector<HostWork> m_host;
  bool m_overlap;  ///< steps do
  WindowKind m_windows;
  std::vector<std::vector<BusyPiece>> m_busy;
  std::vector<std::vector<TimeRange>> m_device_busy;
  std::vector<std::uint32_t> m_device_of_lane;  ///< in m_device_busy; kNoItem where the lane has the device for itself
  GapWalk m_walk;
};

}  // namespace

IdleCauses explainActions(const Trace& trace, std::optional<WindowKind> windows) {
  return ActionCauses(trace, windows).explain();
}

}  // namespace lanelab
