// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/step_replay.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lanelab {

namespace {

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
};

ReplayedGap rounded(const Times& idle) { return {std::llround(idle.equal), std::llround(idle.staged)}; }

class Replayer {
 public:
  Replayer(const TracedActions& traced, std::size_t lanes)
      : m_traced(traced), m_lanes(lanes), m_ends(traced.actions.size()) {
    m_result.before_action.resize(traced.actions.size());
    m_result.at_end.resize(traced.windows.size() * lanes);
  }

  Replay replay() {
    for (std::size_t step = 0; step < m_traced.windows.size(); ++step) {
      meanTimes(step);
      replayStep(step);
      forgetTimes(step);
    }
    return std::move(m_result);
  }

 private:
  void meanTimes(std::size_t step) {
    m_of_phase.fill({});
    for (const std::uint32_t item : m_traced.itemsOf(step)) {
      const TracedAction& action = m_traced.actions[item];
      const std::size_t place = stageAndPhase(action);
      if (place >= m_of_stage.size()) m_of_stage.resize(place + 1);
      m_of_stage[place].add(action.range.length());
      m_of_phase[phaseOf(action)].add(action.range.length());
    }
  }
  void forgetTimes(std::size_t step) {
    for (const std::uint32_t item : m_traced.itemsOf(step)) m_of_stage[stageAndPhase(m_traced.actions[item])] = {};
  }

  void replayStep(std::size_t step) {
    m_free.assign(m_lanes, {});
    m_carried.assign(m_lanes, {});
    Times last;
    for (const std::uint32_t item : m_traced.itemsOf(step)) {
      const Times end = replayAction(item);
      last = {std::max(last.equal, end.equal), std::max(last.staged, end.staged)};
    }
    for (std::size_t lane = 0; lane < m_lanes; ++lane) {
      const Times idle{last.equal - m_free[lane].equal + m_carried[lane].equal,
                       last.staged - m_free[lane].staged + m_carried[lane].staged};
      m_result.at_end[step * m_lanes + lane] = rounded(idle);
    }
  }

  /// When it ends. Actions come in order of their measured start, so a producer has been replayed before.
  Times replayAction(std::uint32_t item) {
    const TracedAction& action = m_traced.actions[item];
    const auto lane = static_cast<std::size_t>(action.lane);
    const Times input = action.producer == kNoItem ? Times{} : m_ends[action.producer];
    const Times start{std::max(m_free[lane].equal, input.equal), std::max(m_free[lane].staged, input.staged)};
    Times& idle = m_carried[lane];
    idle = {idle.equal + start.equal - m_free[lane].equal, idle.staged + start.staged - m_free[lane].staged};
    m_result.before_action[item] = rounded(idle);
    if (!action.range.empty()) idle = {};
    const Times end{start.equal + m_of_phase[phaseOf(action)].value(),
                    start.staged + m_of_stage[stageAndPhase(action)].value()};
    return m_free[lane] = m_ends[item] = end;
  }

  const TracedActions& m_traced;
  std::size_t m_lanes;
  Replay m_result;
  std::vector<Times> m_ends;     ///< of the actions replayed so far; 0 of the others, so that nothing waits for them
  std::vector<Times> m_free;     ///< by lane: when its last action ended
  std::vector<Times> m_carried;  ///< by lane: idle time that the next action with length lies behind
  std::vector<Mean> m_of_stage;  ///< by stage and phase
  std::array<Mean, kPhaseCount> m_of_phase;
};

}  // namespace

Replay replaySteps(const TracedActions& traced, std::size_t lanes) { return Replayer(traced, lanes).replay(); }

}  // namespace lanelab
