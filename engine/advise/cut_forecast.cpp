// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/cut_forecast.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "engine/schedule/generate.h"
#include "engine/sim/measured_costs.h"

namespace lanelab {
namespace {

std::vector<Stage> stagesOfCuts(const PartitionProblem& problem, const std::vector<BlockId>& cuts) {
  std::vector<Stage> stages;
  for (std::size_t s = 0; s <= cuts.size(); ++s)
    stages.push_back({StageId(s), problem.lane_of_stage[s], s == 0 ? BlockId(0) : cuts[s - 1],
                      s < cuts.size() ? cuts[s] : BlockId(problem.blocks.size())});
  return stages;
}

/// How many predictions take about a second: an action costs about 0.3 us, generated and simulated.
int mostPredictions(const PartitionProblem& problem, ScheduleKind schedule) {
  constexpr double kActions = 3e6, kMost = 20000;
  const double actions = actionsPredicted(schedule, problem.lane_of_stage.size(), problem.micro_batches);
  return static_cast<int>(std::clamp(kActions / actions, 1.0, kMost));
}

}  // namespace

double actionsPredicted(ScheduleKind schedule, std::size_t stages, int micro_batches) {
  const int orders = schedule == ScheduleKind::List ? 15 : 1;
  return 3.0 * static_cast<double>(stages) * micro_batches * orders;
}

CutForecast::CutForecast(PartitionProblem problem, CostModel costs, ScheduleKind schedule)
    : m_problem(std::move(problem)), m_costs{std::move(costs), std::nullopt}, m_schedule(schedule) {
  m_costs.whole.lane_slowness.clear();
  for (const PartitionLane& lane : m_problem.lanes) m_costs.whole.lane_slowness.push_back(lane.slowness);
}

double CutForecast::secondsOf(const std::vector<BlockId>& cuts, WindowKind window) const {
  const std::vector<Stage> stages = stagesOfCuts(m_problem, cuts);
  const Result<Schedule> schedule =
      generateSchedule(m_schedule, m_problem.lane_of_stage, static_cast<int>(m_problem.lanes.size()),
                       m_problem.micro_batches, window, stageTimesOf(m_costs.whole, stages));
  assert(schedule.ok());
  const Simulation simulation =
      window == WindowKind::Period ? simulateSteady(*schedule, stages, m_costs) : simulate(*schedule, stages, m_costs);
  return simulation.step_seconds;
}

StepForecast CutForecast::of(const std::vector<BlockId>& cuts) const {
  return {secondsOf(cuts, WindowKind::Step), secondsOf(cuts, WindowKind::Period)};
}

FastestCut CutForecast::fastest(const std::vector<BlockId>& start, WindowKind window) const {
  const auto predict = [&](const std::vector<BlockId>& cuts) {
    return evaluatePartition(m_problem, cuts).fits ? secondsOf(cuts, window) : std::numeric_limits<double>::infinity();
  };
  return fastestCut(static_cast<int>(m_problem.blocks.size()), start, predict, mostPredictions(m_problem, m_schedule));
}

}  // namespace lanelab
