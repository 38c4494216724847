// SPDX-License-Identifier: GPL-3.0-only
// Lanes that run in thought: in the order that a schedule has, or each taking what is ready when it falls idle. Pure.
#pragma once

#include <algorithm>
#include <functional>
#include <queue>

#include "engine/schedule/dependencies.h"
#include "engine/schedule/list_simulation.h"

namespace lanelab {

/// Executes the lanes side by side, each in its own order, as far as it gets; without transfers. An action begins when
/// its inputs are there and its lane is free, and takes `duration(action)`; `begun(lane, action, start)` hears it, and
/// `ends` holds the ends. `free_at` says when each lane is free: before, and then after. False when lanes wait for each
/// other for ever.
template <class Duration, class Begun>
bool runInOrder(const Schedule& schedule, ActionTimes& ends, std::vector<std::int64_t>& free_at, Duration duration,
                Begun begun) {
  std::vector<std::size_t> next(schedule.lanes.size(), 0);
  bool complete = false;
  for (bool moved = true; moved;) {
    moved = false;
    complete = true;
    for (std::size_t lane = 0; lane < next.size(); ++lane) {
      for (; next[lane] < schedule.lanes[lane].size(); ++next[lane], moved = true) {
        const Action& action = schedule.lanes[lane][next[lane]];
        const std::int64_t ready = readyTime(action, schedule.stages, ends);
        if (ready < 0) break;
        const std::int64_t start = std::max(ready, free_at[lane]);
        begun(lane, action, start);
        ends.of(action) = free_at[lane] = start + duration(action);
      }
      complete = complete && next[lane] == schedule.lanes[lane].size();
    }
  }
  return complete;
}

/// Lanes without an order of their own.
class LaneSimulation {
 public:
  LaneSimulation(const std::vector<LaneId>& lane_of_stage, const std::vector<StageTimes>& times, int lanes,
                 int micro_batches)
      : m_stages_of_lane(static_cast<std::size_t>(lanes)),
        m_ends(static_cast<int>(lane_of_stage.size()), micro_batches),
        m_rows(static_cast<std::size_t>(lanes)),
        m_lane_of_stage(lane_of_stage),
        m_times(times),
        m_free_at(static_cast<std::size_t>(lanes), 0) {
    for (std::size_t s = 0; s < lane_of_stage.size(); ++s) m_stages_of_lane[lane_of_stage[s].index()].push_back(s);
  }

 protected:
  /// Until no lane has anything to do. `choose(lane, now)` is asked for an idle lane's next action, if it has one.
  template <class Choose>
  void simulate(Choose choose) {
    for (std::size_t lane = 0; lane < m_rows.size(); ++lane) m_moments.push({0, lane});
    while (!m_moments.empty()) {
      const auto [now, lane] = m_moments.top();
      m_moments.pop();
      if (m_free_at[lane] > now) continue;
      if (const std::optional<Action> action = choose(lane, now)) take(lane, now, *action);
    }
  }

  /// When the last action ends.
  std::int64_t lastEnd() const { return m_free_at.empty() ? 0 : *std::max_element(m_free_at.begin(), m_free_at.end()); }

  std::vector<std::vector<std::size_t>> m_stages_of_lane;
  ActionTimes m_ends;
  ActionRows m_rows;  ///< by lane, what it took

 private:
  using Moment = std::pair<std::int64_t, std::size_t>;  ///< a time at which a lane may have something to do

  void take(std::size_t lane, std::int64_t now, const Action& action) {
    const std::size_t stage = action.stage.index();
    const std::int64_t end = now + durationOf(m_times[stage], action.kind);
    m_rows[lane].push_back(action);
    m_ends.of(action) = m_free_at[lane] = end;
    m_moments.push({end, lane});
    if (action.kind == ActionKind::BackwardWeight) return;
    const std::size_t neighbour = stage + (action.kind == ActionKind::Forward ? 1 : std::size_t(-1));
    if (neighbour < m_lane_of_stage.size()) m_moments.push({end, m_lane_of_stage[neighbour].index()});
  }

  const std::vector<LaneId>& m_lane_of_stage;
  const std::vector<StageTimes>& m_times;
  std::vector<std::int64_t> m_free_at;
  std::priority_queue<Moment, std::vector<Moment>, std::greater<>> m_moments;
};

}  // namespace lanelab
