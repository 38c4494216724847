#include "engine/plan/generate.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/plan/dependencies.h"

namespace lanelab {
namespace {

constexpr std::size_t most_cells = 1'000'000;  // (stage, micro-batch) pairs: bounds time and memory of the simulation

// The order in which one stage does its own actions: `warm_up` forwards, then a backward and a forward in turn, then the backwards
// that are left. With all forwards as warm-up this is GPipe, with S-s it is 1F1B.
std::vector<Action> stageOrder(StageId stage, int warm_up, int micro_batches) {
  std::vector<Action> order;
  order.reserve(2 * static_cast<std::size_t>(micro_batches));
  int forwards = 0;
  const auto forward = [&] { order.push_back({stage, ActionKind::Forward, MicroBatchId(forwards++)}); };
  while (forwards < warm_up) forward();
  for (int backward = 0; backward < micro_batches; ++backward) {
    order.push_back({stage, ActionKind::Backward, MicroBatchId(backward)});
    if (forwards < micro_batches) forward();
  }
  return order;
}

// Backward first, since it frees memory; then the oldest micro-batch; then the stage nearer to where the micro-batch leaves.
bool goesFirst(const Action& a, const Action& b) {
  if (a.kind != b.kind) return a.kind == ActionKind::Backward;
  if (a.micro_batch != b.micro_batch) return a.micro_batch < b.micro_batch;
  return a.kind == ActionKind::Forward ? a.stage > b.stage : a.stage < b.stage;
}

// Merges the orders of the stages of each lane: in each unit of time a lane does the first of its stages' next actions that is ready.
// The orders never wait for each other in a circle, whatever the lanes, so some action is always ready until all are done.
class ListSimulation {
 public:
  ListSimulation(std::vector<std::vector<Action>> orders, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches)
      : m_orders(std::move(orders)),
        m_next(m_orders.size(), 0),
        m_stages_of_lane(static_cast<std::size_t>(lanes)),
        m_ends(static_cast<int>(m_orders.size()), micro_batches) {
    for (std::size_t s = 0; s < lane_of_stage.size(); ++s) m_stages_of_lane[lane_of_stage[s].index()].push_back(s);
    m_rows.resize(m_stages_of_lane.size());
  }

  std::vector<std::vector<Action>> run() {
    std::size_t left = 0;
    for (const auto& order : m_orders) left += order.size();
    for (std::int64_t now = 0; left > 0; ++now) {
      for (std::size_t lane = 0; lane < m_rows.size(); ++lane) left -= step(lane, now) ? 1 : 0;
    }
    return std::move(m_rows);
  }

 private:
  bool step(std::size_t lane, std::int64_t now) {
    const Action* chosen = nullptr;
    for (const std::size_t stage : m_stages_of_lane[lane]) {
      if (m_next[stage] == m_orders[stage].size()) continue;
      const Action& candidate = m_orders[stage][m_next[stage]];
      if (!ready(candidate, now)) continue;
      if (!chosen || goesFirst(candidate, *chosen)) chosen = &candidate;
    }
    if (!chosen) return false;
    m_rows[lane].push_back(*chosen);
    m_ends.of(*chosen) = now + 1;
    ++m_next[chosen->stage.index()];
    return true;
  }

  bool ready(const Action& action, std::int64_t now) const {
    const std::int64_t at = readyTime(action, static_cast<int>(m_orders.size()), m_ends);
    return at >= 0 && at <= now;
  }

  std::vector<std::vector<Action>> m_orders;
  std::vector<std::size_t> m_next;
  std::vector<std::vector<std::size_t>> m_stages_of_lane;
  ActionTimes m_ends;
  std::vector<std::vector<Action>> m_rows;
};

Status checkRequest(const std::string& name, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches) {
  const auto& known = knownSchedules();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    const std::string near = nearestName(name, known);
    return Error::badInput("Unknown schedule \"" + name +
                           "\": " + (near.empty() ? "choose " + joinOr(known) + "." : "did you mean \"" + near + "\"?"));
  }
  if (lane_of_stage.empty()) return Error::badInput("A schedule needs at least 1 stage, not 0.");
  if (micro_batches < 1) return Error::badInput("A schedule needs at least 1 micro-batch, not " + std::to_string(micro_batches) + ".");
  if (lane_of_stage.size() > most_stages) {
    return Error::badInput("A schedule has at most " + std::to_string(most_stages) + " stages, not " + std::to_string(lane_of_stage.size()) + ".");
  }
  if (micro_batches > most_micro_batches) {
    return Error::badInput("A schedule has at most " + std::to_string(most_micro_batches) + " micro-batches, not " + std::to_string(micro_batches) +
                           ": choose a larger split size.");
  }
  if (lane_of_stage.size() * static_cast<std::size_t>(micro_batches) > most_cells) {
    return Error::badInput(std::to_string(lane_of_stage.size()) + " stages of " + std::to_string(micro_batches) +
                           " micro-batches make more actions than anyone can read or run: choose a larger split size or fewer stages.");
  }
  for (const LaneId lane : lane_of_stage) {
    if (lane.value < 0 || lane.value >= lanes) {
      return Error::badInput("A stage lies on lane " + std::to_string(lane.value) + ", but there are " + std::to_string(lanes) +
                             " lanes, counted from 0: place it on one of them.");
    }
  }
  return {};
}

}  // namespace

const std::vector<std::string>& knownSchedules() {
  static const std::vector<std::string> names = {"gpipe", "1f1b"};
  return names;
}

Result<Schedule> generateSchedule(const std::string& name, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches) {
  if (const Status request = checkRequest(name, lane_of_stage, lanes, micro_batches); !request.ok()) return request.error();
  const int stages = static_cast<int>(lane_of_stage.size());
  std::vector<std::vector<Action>> orders;
  for (int s = 0; s < stages; ++s) {
    const int warm_up = name == "1f1b" ? std::min(micro_batches, stages - s) : micro_batches;
    orders.push_back(stageOrder(StageId(s), warm_up, micro_batches));
  }
  return Schedule{stages, micro_batches, ListSimulation(std::move(orders), lane_of_stage, lanes, micro_batches).run()};
}

}  // namespace lanelab
