// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/list_simulation.h"

#include <algorithm>
#include <charconv>

#include "engine/schedule/lane_simulation.h"

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

class ListSimulation : LaneSimulation {
 public:
  ListSimulation(const ActionRows& orders, const std::vector<LaneId>& lane_of_stage,
                 const std::vector<StageTimes>& times, int lanes, int micro_batches)
      : LaneSimulation(lane_of_stage, times, lanes, micro_batches), m_orders(orders), m_next(orders.size(), 0) {}

  ActionRows run() {
    simulate([this](std::size_t lane, std::int64_t now) {
      const std::optional<Action> chosen = choose(lane, now);
      if (chosen) ++m_next[chosen->stage.index()];
      return chosen;
    });
    return std::move(m_rows);
  }

 private:
  std::optional<Action> choose(std::size_t lane, std::int64_t now) const {
    std::optional<Action> chosen;
    for (const std::size_t stage : m_stages_of_lane[lane]) {
      if (m_next[stage] == m_orders[stage].size()) continue;
      const Action& candidate = m_orders[stage][m_next[stage]];
      const std::int64_t ready = readyTime(candidate, static_cast<int>(m_orders.size()), m_ends);
      if (ready >= 0 && ready <= now && (!chosen || goesFirst(candidate, *chosen))) chosen = candidate;
    }
    return chosen;
  }

  const ActionRows& m_orders;
  std::vector<std::size_t> m_next;
};

/// Each lane's row, begun when the lane is free.
void runStep(const Schedule& schedule, const std::vector<StageTimes>& times, std::vector<std::int64_t>& free_at) {
  ActionTimes ends(schedule.stages, schedule.micro_batches);
  const auto duration = [&](const Action& action) { return durationOf(times[action.stage.index()], action.kind); };
  runInOrder(schedule, ends, free_at, duration, [](std::size_t, const Action&, std::int64_t) {});
}

std::int64_t longestMove(const std::vector<std::int64_t>& earlier, const std::vector<std::int64_t>& later) {
  std::int64_t longest = 0;
  for (std::size_t lane = 0; lane < later.size(); ++lane) longest = std::max(longest, later[lane] - earlier[lane]);
  return longest;
}

/// All lanes that have work are as far behind each other as they were.
bool isMoved(const Schedule& schedule, const std::vector<std::int64_t>& earlier,
             const std::vector<std::int64_t>& later) {
  const std::int64_t moved = longestMove(earlier, later);
  for (std::size_t lane = 0; lane < later.size(); ++lane)
    if (!schedule.lanes[lane].empty() && later[lane] - earlier[lane] != moved) return false;
  return true;
}

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
      "\"{}\" is not the time of a stage. Write three whole numbers F:I:W from 1 to 1000000000, such as 10:10:10.",
      text.substr(0, 40));
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

ActionRows mergeOrders(const ActionRows& orders, const std::vector<LaneId>& lane_of_stage,
                       const std::vector<StageTimes>& times, int lanes, int micro_batches) {
  return ListSimulation(orders, lane_of_stage, times, lanes, micro_batches).run();
}

std::int64_t lastEnd(const Schedule& schedule, const std::vector<StageTimes>& times) {
  std::vector<std::int64_t> free_at(schedule.lanes.size(), 0);
  runStep(schedule, times, free_at);
  return free_at.empty() ? 0 : *std::ranges::max_element(free_at);
}

double periodOf(const Schedule& schedule, const std::vector<StageTimes>& times) {
  constexpr std::size_t kMostSteps = 24;
  std::vector<std::vector<std::int64_t>> states = {std::vector<std::int64_t>(schedule.lanes.size(), 0)};
  while (states.size() <= kMostSteps) {
    std::vector<std::int64_t> free_at = states.back();
    runStep(schedule, times, free_at);
    for (std::size_t earlier = states.size() - 1; earlier > 0; --earlier) {
      if (isMoved(schedule, states[earlier], free_at))
        return static_cast<double>(longestMove(states[earlier], free_at)) /
               static_cast<double>(states.size() - earlier);
    }
    states.push_back(std::move(free_at));
  }
  constexpr std::size_t kHalf = kMostSteps / 2;
  return static_cast<double>(longestMove(states[kHalf], states.back())) / static_cast<double>(kMostSteps - kHalf);
}

}  // namespace lanelab
