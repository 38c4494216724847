// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/simulate.h"

#include <algorithm>
#include <cassert>
#include <queue>
#include <tuple>

#include "engine/schedule/check.h"

namespace lanelab {
namespace {

/// What a stage's actions take on its lane, overhead included, and its output's way on.
struct StageSeconds {
  double forward = 0;
  double backward = 0;
  double input = 0;
  double weight = 0;
  double update = 0;  ///< 0: none is done
  double transfer = 0;
  double transfer_before = 0;  ///< of the gradient, over the boundary before the stage

  double of(ActionKind kind) const {
    switch (kind) {
      case ActionKind::Forward: return forward;
      case ActionKind::Backward: return backward;
      case ActionKind::BackwardInput: return input;
      case ActionKind::BackwardWeight: return weight;
      case ActionKind::Update: return update;
    }
    return 0;
  }
};

/// `common` gives what does not depend on the micro-batch's size.
StageSeconds secondsOf(const Stage& stage, const CostModel& costs, const CostModel& common) {
  const BlockCost sum = costs.sumOf(stage);
  StageSeconds seconds{sum.forward, sum.backward, sum.backward - sum.backward_weight, sum.backward_weight};
  const double update = common.sumOf(stage).update, slowness = common.slownessOf(stage.lane);
  for (double* const part : {&seconds.forward, &seconds.backward, &seconds.input, &seconds.weight}) {
    *part = *part * slowness + common.action_overhead;
  }
  seconds.update = update > 0 ? update * slowness + common.action_overhead : 0;
  if (stage.end.index() < costs.blocks.size()) seconds.transfer = costs.transfers[stage.end.index() - 1];
  if (stage.first.index() > 0) seconds.transfer_before = costs.transfers[stage.first.index() - 1];
  return seconds;
}

/// [replica][stage], as the rows have them; the first replica's are those of the stages.
StageLanes replicaStageLanes(const Schedule& schedule, const std::vector<Stage>& stages) {
  StageLanes lanes(static_cast<std::size_t>(schedule.replicas), lanesOfStages(stages).front());
  for (std::size_t lane = 0; lane < schedule.lanes.size(); ++lane) {
    for (const Action& action : schedule.lanes[lane]) {
      if (const int replica = replicaOf(schedule, action.micro_batch); replica > 0)
        lanes[static_cast<std::size_t>(replica)][action.stage.index()] = LaneId(lane);
    }
  }
  return lanes;
}

class StepSimulation {
 public:
  StepSimulation(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs)
      : m_schedule(schedule),
        m_stages(stages),
        m_lanes(replicaStageLanes(schedule, stages)),
        m_contention(costs.whole.contention),
        m_rows(schedule.lanes.size()),
        m_next(schedule.lanes.size(), 0),
        m_running(schedule.lanes.size(), false),
        m_link_free(stages.size() * m_lanes.size() * 2, 0.0),
        m_arrived(stages.size() * static_cast<std::size_t>(schedule.micro_batches) * 2, false) {
    for (const Stage& stage : stages) {
      m_whole.push_back(secondsOf(stage, costs.whole, costs.whole));
      m_last.push_back(secondsOf(stage, costs.last.value_or(costs.whole), costs.whole));
    }
    addUpdates();
    m_result.lanes.resize(schedule.lanes.size());
  }

  Simulation run() {
    for (std::size_t lane = 0; lane < m_rows.size(); ++lane) startNext(lane);
    while (!m_ends.empty() || !m_arrivals.empty()) {
      const double end = m_ends.empty() ? 0 : timeOf(m_ends.top().virtual_end);
      if (m_arrivals.empty() || (!m_ends.empty() && end <= m_arrivals.top().time)) {
        finish(m_ends.top(), end);
      } else {
        arrive(m_arrivals.top());
      }
    }
    return summed();
  }

 private:
  enum Direction : std::size_t { Onward, Back };

  struct ActionEnd {
    double virtual_end;
    std::size_t lane;
    bool operator>(const ActionEnd& other) const {
      return std::tie(virtual_end, lane) > std::tie(other.virtual_end, other.lane);
    }
  };
  struct Arrival {
    double time;
    std::size_t input;  ///< index into m_arrived
    std::size_t lane;
    bool operator>(const Arrival& other) const { return std::tie(time, input) > std::tie(other.time, other.input); }
  };
  template <class T>
  using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

  void addUpdates() {
    for (std::size_t lane = 0; lane < m_rows.size(); ++lane) {
      std::vector<int> backwards_left(m_stages.size(), 0);
      for (const Action& action : m_schedule.lanes[lane])
        backwards_left[action.stage.index()] += endsBackward(action.kind) ? 1 : 0;
      ActionRows::value_type last;
      for (const Action& action : m_schedule.lanes[lane]) {
        m_rows[lane].push_back(action);
        const bool updates = !m_schedule.first_updates || replicaOf(m_schedule, action.micro_batch) == 0;
        if (endsBackward(action.kind) && updates && --backwards_left[action.stage.index()] == 0 &&
            m_whole[action.stage.index()].update > 0) {
          (m_schedule.updates_last ? last : m_rows[lane])
              .push_back({action.stage, ActionKind::Update, MicroBatchId(0)});
        }
      }
      m_rows[lane].insert(m_rows[lane].end(), last.begin(), last.end());
    }
  }

  const StageSeconds& secondsFor(const Action& action) const {
    const int own = m_schedule.micro_batches / m_schedule.replicas;
    const bool last = action.micro_batch.value % own + 1 == own;
    return (last ? m_last : m_whole)[action.stage.index()];
  }

  // All lanes that compute are slowed down by one and the same factor, so one virtual clock, which runs slower the more
  // of them there are, serves all: an action's end on it is known when it starts. Without contention both clocks are
  // the same number, to the last bit.
  double slowdown() const { return 1 + m_contention * std::max(0, m_computing - 1); }
  double timeOf(double virtual_time) const {
    return m_contention == 0 ? virtual_time : m_now + (virtual_time - m_virtual_now) * slowdown();
  }
  void advanceTo(double time) {
    m_virtual_now = m_contention == 0 ? time : m_virtual_now + (time - m_now) / slowdown();
    m_now = time;
  }

  std::size_t inputOf(std::size_t stage, MicroBatchId k, Direction direction) const {
    return (stage * static_cast<std::size_t>(m_schedule.micro_batches) + k.index()) * 2 + direction;
  }

  // What comes from the same lane is there by the order of the row.
  bool ready(const Action& action) const {
    const std::size_t stage = action.stage.index();
    switch (action.kind) {
      case ActionKind::Forward: return stage == 0 || m_arrived[inputOf(stage, action.micro_batch, Onward)];
      case ActionKind::Backward:
      case ActionKind::BackwardInput:
        return stage + 1 == m_stages.size() || m_arrived[inputOf(stage, action.micro_batch, Back)];
      case ActionKind::BackwardWeight:
      case ActionKind::Update: break;
    }
    return true;
  }

  void startNext(std::size_t lane) {
    if (m_running[lane] || m_next[lane] == m_rows[lane].size()) return;
    const Action& action = m_rows[lane][m_next[lane]];
    if (!ready(action)) return;
    ++m_next[lane];
    m_running[lane] = true;
    ++m_computing;
    m_result.lanes[lane].actions.push_back({action, m_now, m_now});
    m_ends.push({m_virtual_now + secondsFor(action).of(action.kind), lane});
  }

  void finish(ActionEnd ended, double time) {
    m_ends.pop();
    advanceTo(time);
    m_virtual_now = ended.virtual_end;  // exactly, whatever was rounded on the way
    --m_computing;
    m_running[ended.lane] = false;
    m_result.lanes[ended.lane].actions.back().end = m_now;
    send(Action(m_result.lanes[ended.lane].actions.back().action), ended.lane);
    startNext(ended.lane);
  }

  void send(const Action& action, std::size_t lane) {
    const std::size_t stage = action.stage.index();
    if (action.kind == ActionKind::Forward && stage + 1 < m_stages.size()) {
      sendTo(stage + 1, Onward, action, lane, secondsFor(action).transfer);
    } else if ((action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput) && stage > 0) {
      sendTo(stage - 1, Back, action, lane, secondsFor(action).transfer_before);
    }
  }

  void sendTo(std::size_t stage, Direction direction, const Action& action, std::size_t lane, double seconds) {
    const std::size_t input = inputOf(stage, action.micro_batch, direction);
    const auto replica = static_cast<std::size_t>(replicaOf(m_schedule, action.micro_batch));
    const LaneId to = m_lanes[replica][stage];
    if (to.index() == lane || seconds == 0) {
      m_arrived[input] = true;
      startNext(to.index());
      return;
    }
    double& link_free = m_link_free[(replica * m_stages.size() + stage) * 2 + direction];
    const double start = std::max(m_now, link_free);
    link_free = start + seconds;
    m_arrivals.push({link_free, input, to.index()});
    m_result.transfers.push_back({action, LaneId(lane), to, m_now, start, link_free});
  }

  void arrive(Arrival arrival) {
    m_arrivals.pop();
    advanceTo(arrival.time);
    m_arrived[arrival.input] = true;
    startNext(arrival.lane);
  }

  Simulation summed() {
    for (const SimulatedLane& lane : m_result.lanes) {
      if (!lane.actions.empty()) m_result.step_seconds = std::max(m_result.step_seconds, lane.actions.back().end);
    }
    for (SimulatedLane& lane : m_result.lanes) {
      for (const SimulatedAction& action : lane.actions) lane.busy += action.end - action.start;
      lane.idle = std::max(0.0, m_result.step_seconds - lane.busy);
    }
    std::ranges::stable_sort(m_result.transfers, {}, &SimulatedTransfer::end);
    return std::move(m_result);
  }

  const Schedule& m_schedule;
  const std::vector<Stage>& m_stages;
  StageLanes m_lanes;
  std::vector<StageSeconds> m_whole;
  std::vector<StageSeconds> m_last;
  double m_contention;
  std::vector<std::vector<Action>> m_rows;
  std::vector<std::size_t> m_next;
  std::vector<bool> m_running;
  std::vector<double> m_link_free;
  std::vector<bool> m_arrived;
  int m_computing = 0;
  double m_now = 0;
  double m_virtual_now = 0;
  Earliest<ActionEnd> m_ends;
  Earliest<Arrival> m_arrivals;
  Simulation m_result;
};

[[maybe_unused]] bool fit(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs) {
  const auto covers = [&](const CostModel& model) {
    return model.blocks.size() == stages.back().end.index() && model.transfers.size() + 1 == model.blocks.size();
  };
  return !stages.empty() && checkSchedule(schedule, replicaStageLanes(schedule, stages)).empty() &&
         covers(costs.whole) && (!costs.last || covers(*costs.last)) &&
         (costs.whole.lane_slowness.empty() || costs.whole.lane_slowness.size() == schedule.lanes.size());
}

}  // namespace

BlockCost CostModel::sumOf(const Stage& stage) const {
  BlockCost sum;
  for (std::size_t i = stage.first.index(); i < stage.end.index(); ++i) {
    sum.forward += blocks[i].forward;
    sum.backward += blocks[i].backward;
    sum.backward_weight += blocks[i].backward_weight;
    sum.update += blocks[i].update;
  }
  return sum;
}

Simulation simulate(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs) {
  assert(fit(schedule, stages, costs));
  return StepSimulation(schedule, stages, costs).run();
}

}  // namespace lanelab
