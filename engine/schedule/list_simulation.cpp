// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/list_simulation.h"

#include <algorithm>
#include <charconv>
#include <queue>

#include "engine/schedule/dependencies.h"

namespace lanelab {
namespace {

int rank(ActionKind kind) { return kind == ActionKind::Forward ? 1 : kind == ActionKind::BackwardWeight ? 2 : 0; }

// Backward first, since it frees memory; then the oldest micro-batch; then the stage nearer to where the micro-batch
// leaves.
bool goesFirst(const Action& a, const Action& b) {
  if (rank(a.kind) != rank(b.kind)) return rank(a.kind) < rank(b.kind);
  if (a.micro_batch != b.micro_batch) return a.micro_batch < b.micro_batch;
  return a.kind == ActionKind::Forward ? a.stage > b.stage : a.stage < b.stage;
}

class ListSimulation {
 public:
  ListSimulation(const std::vector<std::vector<Action>>& orders, const std::vector<LaneId>& lane_of_stage,
                 const std::vector<StageTimes>& times, int lanes, int micro_batches)
      : m_orders(orders),
        m_lane_of_stage(lane_of_stage),
        m_times(times),
        m_next(orders.size(), 0),
        m_stages_of_lane(static_cast<std::size_t>(lanes)),
        m_free_at(static_cast<std::size_t>(lanes), 0),
        m_rows(static_cast<std::size_t>(lanes)),
        m_ends(static_cast<int>(orders.size()), micro_batches) {
    for (std::size_t s = 0; s < lane_of_stage.size(); ++s) m_stages_of_lane[lane_of_stage[s].index()].push_back(s);
  }

  std::vector<std::vector<Action>> run() {
    for (std::size_t lane = 0; lane < m_rows.size(); ++lane) m_moments.push({0, lane});
    while (!m_moments.empty()) {
      const auto [now, lane] = m_moments.top();
      m_moments.pop();
      if (m_free_at[lane] <= now) take(lane, now);
    }
    return std::move(m_rows);
  }

 private:
  using Moment = std::pair<std::int64_t, std::size_t>;  ///< a time at which a lane may have something to do

  void take(std::size_t lane, std::int64_t now) {
    const Action* const chosen = choose(lane, now);
    if (!chosen) return;
    const std::int64_t end = now + durationOf(m_times[chosen->stage.index()], chosen->kind);
    m_rows[lane].push_back(*chosen);
    m_ends.of(*chosen) = end;
    m_free_at[lane] = end;
    ++m_next[chosen->stage.index()];
    m_moments.push({end, lane});
    if (chosen->kind == ActionKind::BackwardWeight) return;
    const std::size_t neighbour = chosen->stage.index() + (chosen->kind == ActionKind::Forward ? 1 : std::size_t(-1));
    if (neighbour < m_lane_of_stage.size()) m_moments.push({end, m_lane_of_stage[neighbour].index()});
  }

  const Action* choose(std::size_t lane, std::int64_t now) const {
    const Action* chosen = nullptr;
    for (const std::size_t stage : m_stages_of_lane[lane]) {
      if (m_next[stage] == m_orders[stage].size()) continue;
      const Action& candidate = m_orders[stage][m_next[stage]];
      if (ready(candidate, now) && (!chosen || goesFirst(candidate, *chosen))) chosen = &candidate;
    }
    return chosen;
  }

  bool ready(const Action& action, std::int64_t now) const {
    const std::int64_t at = readyTime(action, static_cast<int>(m_orders.size()), m_ends);
    return at >= 0 && at <= now;
  }

  const std::vector<std::vector<Action>>& m_orders;
  const std::vector<LaneId>& m_lane_of_stage;
  const std::vector<StageTimes>& m_times;
  std::vector<std::size_t> m_next;
  std::vector<std::vector<std::size_t>> m_stages_of_lane;
  std::vector<std::int64_t> m_free_at;
  std::vector<std::vector<Action>> m_rows;
  ActionTimes m_ends;
  std::priority_queue<Moment, std::vector<Moment>, std::greater<>> m_moments;
};

}  // namespace

Result<StageTimes> parseStageTimes(const std::string& text) {
  std::vector<std::int64_t> values;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 1 || value > 1'000'000'000) break;
    values.push_back(value);
    at = stop;
    if (at == end && values.size() == 3) return StageTimes{values[0], values[1] + values[2], values[2]};
    if (at == end || *at != ':') break;
    ++at;
  }
  return Error::badInput(
      "\"" + text.substr(0, 40) +
      "\" is no time of a stage: write three whole numbers F:I:W from 1 to 1000000000, such as 10:10:10.");
}

std::int64_t durationOf(const StageTimes& times, ActionKind kind) {
  const std::int64_t whole = std::max<std::int64_t>(1, times.backward);
  const std::int64_t weight = std::max<std::int64_t>(1, times.weight.value_or(whole / 2));
  switch (kind) {
    case ActionKind::Forward: return std::max<std::int64_t>(1, times.forward);
    case ActionKind::Backward: return whole;
    case ActionKind::BackwardInput: return std::max<std::int64_t>(1, whole - weight);
    case ActionKind::BackwardWeight: return weight;
    case ActionKind::Update: break;
  }
  return 0;
}

std::vector<std::vector<Action>> mergeOrders(const std::vector<std::vector<Action>>& orders,
                                             const std::vector<LaneId>& lane_of_stage,
                                             const std::vector<StageTimes>& times, int lanes, int micro_batches) {
  return ListSimulation(orders, lane_of_stage, times, lanes, micro_batches).run();
}

std::int64_t lastEnd(const Schedule& schedule, const std::vector<StageTimes>& times) {
  ActionTimes ends(schedule.stages, schedule.micro_batches);
  std::vector<std::size_t> next(schedule.lanes.size(), 0);
  std::vector<std::int64_t> free_at(schedule.lanes.size(), 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t lane = 0; lane < next.size(); ++lane) {
      for (; next[lane] < schedule.lanes[lane].size(); ++next[lane], moved = true) {
        const Action& action = schedule.lanes[lane][next[lane]];
        const std::int64_t ready = readyTime(action, schedule.stages, ends);
        if (ready < 0) break;
        free_at[lane] = std::max(ready, free_at[lane]) + durationOf(times[action.stage.index()], action.kind);
        ends.of(action) = free_at[lane];
      }
    }
  }
  return free_at.empty() ? 0 : *std::max_element(free_at.begin(), free_at.end());
}

}  // namespace lanelab
