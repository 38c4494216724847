// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/step_simulation.h"

#include <algorithm>
#include <utility>

#include "engine/schedule/check.h"
#include "engine/schedule/replicas.h"

namespace lanelab {
namespace {

/// Whether the schedule is legal for these stages, and the costs are of exactly their blocks.
[[maybe_unused]] bool fit(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs) {
  const auto covers = [&](const CostModel& model) {
    return model.blocks.size() == stages.back().end.index() && model.transfers.size() + 1 == model.blocks.size();
  };
  return !stages.empty() && checkSchedule(schedule, stageLanesOfRows(schedule, stages)).empty() &&
         covers(costs.whole) && (!costs.last || covers(*costs.last)) &&
         (costs.whole.lane_slowness.empty() || costs.whole.lane_slowness.size() == schedule.lanes.size());
}

/// Drops what is not of the steps `first` to `last`.
template <class T>
void retain(std::vector<T>& all, int first, int last) {
  std::erase_if(all, [&](const T& one) { return one.step < first || one.step > last; });
}

}  // namespace

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

double StageSeconds::of(ActionKind kind) const {
  switch (kind) {
    case ActionKind::Forward: return forward;
    case ActionKind::Backward: return backward;
    case ActionKind::BackwardInput: return input;
    case ActionKind::BackwardWeight: return weight;
    case ActionKind::Update: return update;
  }
  return 0;
}

StepSimulation::StepSimulation(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs)
    : m_schedule(schedule),
      m_stages(stages),
      m_lanes(stageLanesOfRows(schedule, stages)),
      m_contention(costs.whole.contention),
      m_rows(rowsWithUpdates(schedule)),
      m_next(schedule.lanes.size(), 0),
      m_step(schedule.lanes.size(), -1),
      m_running(schedule.lanes.size(), false),
      m_link_free(stages.size() * m_lanes.size() * 2, 0.0),
      m_arrived(stages.size() * static_cast<std::size_t>(schedule.micro_batches) * 2, 0) {
  for (const Stage& stage : stages) {
    m_whole.push_back(secondsOf(stage, costs.whole, costs.whole));
    m_last.push_back(secondsOf(stage, costs.last.value_or(costs.whole), costs.whole));
  }
  for (auto& row : m_rows) {
    std::erase_if(row, [this](const Action& action) {
      return action.kind == ActionKind::Update && m_whole[action.stage.index()].update == 0;
    });
    m_working += row.empty() ? 0 : 1;
  }
  m_result.lanes.resize(schedule.lanes.size());
}

Simulation StepSimulation::run(int most, int retained, const std::function<bool(int)>& enough) {
  m_most = most;
  m_retained = retained;
  m_enough = enough;
  for (std::size_t lane = 0; lane < m_rows.size(); ++lane) startNext(lane);
  while (!m_ended && (!m_ends.empty() || !m_arrivals.empty())) {
    const double end = m_ends.empty() ? 0 : timeOf(m_ends.top().virtual_end);
    if (m_arrivals.empty() || (!m_ends.empty() && end <= m_arrivals.top().time)) {
      finish(m_ends.top(), end);
    } else {
      arrive(m_arrivals.top());
    }
  }
  std::ranges::stable_sort(m_result.transfers, {}, &SimulatedTransfer::end);
  return std::move(m_result);
}

const StageSeconds& StepSimulation::secondsFor(const Action& action) const {
  const int own = m_schedule.micro_batches / m_schedule.replicas;
  const bool last = action.micro_batch.value % own + 1 == own;
  return (last ? m_last : m_whole)[action.stage.index()];
}

// All lanes that compute are slowed down by one and the same factor, so one virtual clock, which runs slower the more
// of them there are, serves all: an action's end on it is known when it starts. Without contention both clocks are
// the same number, to the last bit.
double StepSimulation::slowdown() const { return 1 + m_contention * std::max(0, m_computing - 1); }

double StepSimulation::timeOf(double virtual_time) const {
  return m_contention == 0 ? virtual_time : m_now + (virtual_time - m_virtual_now) * slowdown();
}

void StepSimulation::advanceTo(double time) {
  m_virtual_now = m_contention == 0 ? time : m_virtual_now + (time - m_now) / slowdown();
  m_now = time;
}

std::size_t StepSimulation::inputOf(std::size_t stage, MicroBatchId k, Direction direction) const {
  return (stage * static_cast<std::size_t>(m_schedule.micro_batches) + k.index()) * 2 + direction;
}

// What comes from the same lane is there by the order of the row, and so is a stage's update of the step before.
bool StepSimulation::ready(const Action& action, int step) const {
  const std::size_t stage = action.stage.index();
  switch (action.kind) {
    case ActionKind::Forward: return stage == 0 || m_arrived[inputOf(stage, action.micro_batch, Onward)] > step;
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
      return stage + 1 == m_stages.size() || m_arrived[inputOf(stage, action.micro_batch, Back)] > step;
    case ActionKind::BackwardWeight:
    case ActionKind::Update: break;
  }
  return true;
}

StepMarks& StepSimulation::marksOf(int step) {
  const auto place = static_cast<std::size_t>(step);
  if (place == m_marks.size()) {
    const std::vector<double> lanes(m_rows.size(), 0.0);
    m_marks.push_back({lanes, lanes, lanes, std::vector<double>(m_link_free.size(), 0.0), m_working});
  }
  return m_marks[place];
}

/// To the lane's next step where its row is done; false if there is none.
bool StepSimulation::enterStep(std::size_t lane) {
  if (m_rows[lane].empty()) return false;
  if (m_step[lane] >= 0 && m_next[lane] < m_rows[lane].size()) return true;
  if (m_step[lane] + 1 == m_most) return false;
  ++m_step[lane];
  m_next[lane] = 0;
  return true;
}

void StepSimulation::startNext(std::size_t lane) {
  if (m_running[lane] || !enterStep(lane)) return;
  const Action& action = m_rows[lane][m_next[lane]];
  if (!ready(action, m_step[lane])) return;
  if (m_next[lane] == 0) marksOf(m_step[lane]).starts[lane] = m_now;
  ++m_next[lane];
  m_running[lane] = true;
  ++m_computing;
  m_result.lanes[lane].actions.push_back({action, m_now, m_now, m_step[lane]});
  m_ends.push({m_virtual_now + secondsFor(action).of(action.kind), lane});
}

void StepSimulation::finish(ActionEnd ended, double time) {
  m_ends.pop();
  advanceTo(time);
  m_virtual_now = ended.virtual_end;  // exactly, whatever was rounded on the way
  --m_computing;
  m_running[ended.lane] = false;
  SimulatedAction& done = m_result.lanes[ended.lane].actions.back();
  done.end = m_now;
  marksOf(done.step).busy[ended.lane] += done.end - done.start;
  const Action action = done.action;
  if (m_next[ended.lane] == m_rows[ended.lane].size()) finishStep(ended.lane);
  if (m_ended) return;
  send(action, ended.lane);
  startNext(ended.lane);
}

void StepSimulation::finishStep(std::size_t lane) {
  const int step = m_step[lane];
  StepMarks& marks = marksOf(step);
  marks.ends[lane] = m_now;
  if (--marks.lanes_left > 0) return;
  m_ended = m_enough(step) || step + 1 == m_most;
  const int first = step + 1 - m_retained;
  if (m_ended || first > 0) retainSteps(first, m_ended ? step : m_most);
}

void StepSimulation::retainSteps(int first, int last) {
  for (SimulatedLane& lane : m_result.lanes) retain(lane.actions, first, last);
  retain(m_result.transfers, first, last);
}

void StepSimulation::send(const Action& action, std::size_t lane) {
  const std::size_t stage = action.stage.index();
  if (action.kind == ActionKind::Forward && stage + 1 < m_stages.size()) {
    sendTo(stage + 1, Onward, action, lane, secondsFor(action).transfer);
  } else if ((action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput) && stage > 0) {
    sendTo(stage - 1, Back, action, lane, secondsFor(action).transfer_before);
  }
}

void StepSimulation::sendTo(std::size_t stage, Direction direction, const Action& action, std::size_t lane,
                            double seconds) {
  const std::size_t input = inputOf(stage, action.micro_batch, direction);
  const auto replica = static_cast<std::size_t>(replicaOf(m_schedule, action.micro_batch));
  const LaneId to = m_lanes[replica][stage];
  if (to.index() == lane || seconds == 0) {
    ++m_arrived[input];
    startNext(to.index());
    return;
  }
  const std::size_t link = (replica * m_stages.size() + stage) * 2 + direction;
  const double start = std::max(m_now, m_link_free[link]);
  m_link_free[link] = start + seconds;
  marksOf(m_step[lane]).links[link] = m_link_free[link];
  m_arrivals.push({m_link_free[link], input, to.index()});
  m_result.transfers.push_back({action, LaneId(lane), to, m_now, start, m_link_free[link], m_step[lane]});
}

void StepSimulation::arrive(Arrival arrival) {
  m_arrivals.pop();
  advanceTo(arrival.time);
  ++m_arrived[arrival.input];
  startNext(arrival.lane);
}

}  // namespace lanelab
