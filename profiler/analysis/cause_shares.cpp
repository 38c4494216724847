// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/cause_shares.h"

#include <algorithm>
#include <cmath>

#include "profiler/analysis/idle_replay.h"
#include "profiler/analysis/moved_waits.h"

namespace lanelab {

namespace {

/// Only of a producer in the trace, which a replay can move.
bool takesResult(const TracedAction& action) { return action.producer != kNoItem && action.sent != kNever; }

}  // namespace

/// A sender that is scheduled late reports the end after the receiver has begun.
Nanoseconds queueTime(const TracedAction& action) {
  return takesResult(action) ? std::max<Nanoseconds>(0, std::min(action.sent, action.range.start) - action.produced)
                             : 0;
}

Nanoseconds transferTime(const TracedAction& action) {
  return takesResult(action) ? std::max<Nanoseconds>(0, std::min(action.arrived, action.range.start) -
                                                            std::max(action.sent, action.produced))
                             : 0;
}

class CauseShares::Finder {
 public:
  Finder(const Trace& trace, const PreparedActions& actions, CauseShares& result)
      : m_trace(trace),
        m_traced(actions.traced),
        m_delays(actions.delays),
        m_result(result),
        m_usual(actions.usual),
        m_replay(m_traced, trace.lanes.size()),
        m_gaps(trace.lanes.size()) {
    const std::vector<TracedAction>& traced = m_traced.actions;
    const std::vector<double> none(traced.size());
    m_times = {m_usual.equal, none, none};
    m_queued = std::ranges::any_of(traced, [](const TracedAction& action) { return queueTime(action) > 0; });
    m_sent = std::ranges::any_of(traced, [](const TracedAction& action) { return transferTime(action) > 0; });
  }

  void find() {
    for (std::size_t stretch = 0; stretch < m_traced.stretches.size(); ++stretch) {
      m_stretch = stretch;
      findGaps();
      sumTimes();
      addOrder();
      addImbalance();
      if (m_queued) addTransfers(Cause::TransferQueued, queueTime);
      if (m_sent) addTransfers(Cause::Transfer, transferTime);
      for (std::size_t cause = 0; cause < kCauseCount; ++cause)
        if (!m_delays[cause].empty()) addDelays(static_cast<Cause>(cause));
      addJitter();
      store();
    }
  }

 private:
  std::span<const std::uint32_t> items() const { return m_traced.itemsOf(m_traced.stretches[m_stretch]); }

  /// Those of actions without length belong to the next one with length.
  void findGaps() {
    const TimeRange range = m_traced.stretches[m_stretch].range;
    std::vector<Nanoseconds> free(m_gaps.size(), range.start);
    Nanoseconds last = range.start;
    for (std::vector<CausedGap>& gaps : m_gaps) gaps.clear();
    for (const std::uint32_t item : items()) {
      const TracedAction& action = m_traced.actions[item];
      if (action.range.empty()) continue;
      const auto lane = static_cast<std::size_t>(action.lane);
      addGap(lane, item, std::max<Nanoseconds>(0, action.range.start - free[lane]));
      free[lane] = std::max(free[lane], action.range.end);
      last = std::max(last, free[lane]);
    }
    // Of a step in progress nobody knows yet why a lane idles after its last action.
    if (inProgress(m_trace, m_traced.windows[m_traced.stretches[m_stretch].first].step)) return;
    for (std::size_t lane = 0; lane < m_gaps.size(); ++lane) addGap(lane, kNoItem, last - free[lane]);
  }

  void sumTimes() {
    m_sums.assign(m_gaps.size(), {});
    for (const std::uint32_t item : items()) {
      const TracedAction& action = m_traced.actions[item];
      CauseTimes& sums = m_sums[static_cast<std::size_t>(action.lane)];
      sums[Cause::TransferQueued] += queueTime(action);
      sums[Cause::Transfer] += transferTime(action);
      for (std::size_t cause = 0; cause < kCauseCount; ++cause)
        sums.times[cause] += delayOf(static_cast<Cause>(cause), item);
    }
  }

  void addGap(std::size_t lane, std::uint32_t item, Nanoseconds measured) {
    m_gaps[lane].push_back({.item = item, .measured = measured});
  }

  void addOrder() {
    m_replay.play(m_traced.stretches[m_stretch], m_times);
    for (std::size_t lane = 0; lane < m_gaps.size(); ++lane) {
      for (CausedGap& gap : m_gaps[lane]) {
        const bool fills = gap.item != kNoItem && m_traced.actions[gap.item].phase == Phase::Forward;
        gap.upstream[fills ? Cause::Fill : Cause::Drain] = gap.waits = waitsOf(lane, gap);
      }
    }
  }

  /// Equal and unequal stages are two pipelines, neither of which moves the other's waits.
  void addImbalance() {
    for (const std::uint32_t item : items()) m_times.lengths[item] = m_usual.staged[item];
    addReplay(Cause::Imbalance, Moves::Nothing);
  }

  void addTransfers(Cause cause, Nanoseconds (*timeOf)(const TracedAction&)) {
    for (const std::uint32_t item : items())
      m_times.transfers[item] += static_cast<double>(timeOf(m_traced.actions[item]));
    addReplay(cause, Moves::Earlier);
  }

  void addDelays(Cause cause) {
    for (const std::uint32_t item : items()) m_times.delays[item] += static_cast<double>(delayOf(cause, item));
    addReplay(cause, Moves::Earlier);
  }

  Nanoseconds delayOf(Cause cause, std::uint32_t item) const {
    const std::vector<Nanoseconds>& delays = m_delays[static_cast<std::size_t>(cause)];
    return delays.empty() || item == kNoItem ? 0 : delays[item];
  }

  /// The end of a wait is its input's transfer.
  Nanoseconds shownOf(Cause cause, const CausedGap& gap) const {
    if (gap.item == kNoItem) return 0;
    if (cause == Cause::TransferQueued) return queueTime(m_traced.actions[gap.item]);
    return cause == Cause::Transfer ? transferTime(m_traced.actions[gap.item]) : 0;
  }

  void addReplay(Cause cause, Moves moves) {
    m_replay.play(m_traced.stretches[m_stretch], m_times);
    for (std::size_t lane = 0; lane < m_gaps.size(); ++lane) {
      MovedWaits waits(m_gaps[lane], cause, moves, m_sums[lane][cause] / 2);
      for (std::size_t place = 0; place < m_gaps[lane].size(); ++place) {
        const CausedGap& gap = m_gaps[lane][place];
        const Nanoseconds time = waitsOf(lane, gap);
        waits.move(place, time, std::min(shownOf(cause, gap), time), delayOf(cause, gap.item));
      }
    }
  }

  void addJitter() {
    for (std::vector<CausedGap>& gaps : m_gaps) {
      MovedWaits waits(gaps, Cause::Jitter, Moves::EarlierAndLater, 0);
      for (std::size_t place = 0; place < gaps.size(); ++place)
        waits.move(place, std::max<Nanoseconds>(0, gaps[place].measured - heldBack(gaps[place].item)), 0, 0);
    }
  }

  /// By all causes together, after the input was there.
  Nanoseconds heldBack(std::uint32_t item) const {
    Nanoseconds time = 0;
    for (std::size_t cause = 0; cause < kCauseCount; ++cause) time += delayOf(static_cast<Cause>(cause), item);
    return time;
  }

  Nanoseconds waitsOf(std::size_t lane, const CausedGap& gap) const {
    return std::llround(gap.item == kNoItem ? m_replay.waitsAtEnd(lane) : m_replay.waitsBefore(gap.item));
  }

  void store() {
    for (std::size_t lane = 0; lane < m_gaps.size(); ++lane)
      for (const CausedGap& gap : m_gaps[lane])
        (gap.item == kNoItem ? m_result.m_at_end[m_stretch * m_gaps.size() + lane] : m_result.m_before[gap.item]) =
            added(gap);
  }

  Place added(const CausedGap& gap) {
    const std::size_t first = m_result.m_shares.size();
    const CauseTimes causes = gap.causes();
    for (std::size_t i = 0; i < kCauseCount; ++i)
      if (causes.times[i] != 0 || gap.taken.times[i] != 0)
        m_result.m_shares.push_back({static_cast<Cause>(i), causes.times[i], gap.taken.times[i]});
    return {first, m_result.m_shares.size() - first};
  }

  const Trace& m_trace;
  const TracedActions& m_traced;
  const CauseDelays& m_delays;
  CauseShares& m_result;
  const UsualLengths& m_usual;
  IdleReplay m_replay;
  ReplayTimes m_times;
  bool m_queued;  ///< any transfer was
  bool m_sent;    ///< any transfer took time
  std::size_t m_stretch = 0;
  std::vector<std::vector<CausedGap>> m_gaps;  ///< by lane, of the stretch
  std::vector<CauseTimes> m_sums;              ///< by lane: its transfers and delays
};

CauseShares::CauseShares(const Trace& trace, const PreparedActions& actions)
    : m_lanes(trace.lanes.size()),
      m_before(actions.traced.actions.size()),
      m_at_end(actions.traced.stretches.size() * trace.lanes.size()) {
  Finder(trace, actions, *this).find();
}

GapShares CauseShares::sharesOf(const Place& place) const {
  GapShares shares;
  for (std::size_t i = place.first; i < place.first + place.count; ++i) {
    shares.causes[m_shares[i].cause] += m_shares[i].time;
    shares.renamed[m_shares[i].cause] += m_shares[i].renamed;
  }
  return shares;
}

}  // namespace lanelab
