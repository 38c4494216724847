// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/cut_forecast.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/memory/variant_memory.h"
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

/// Forecasts of memory that take about a second.
constexpr int kMostMemoryForecasts = 3000;

/// How many predictions take about a second: an action costs about 0.3 us, generated and simulated.
int mostPredictions(const PartitionProblem& problem, ScheduleKind schedule) {
  constexpr double kActions = 3e6, kMost = 20000;
  const double actions = actionsPredicted(schedule, problem.lane_of_stage.size(), std::max(problem.micro_batches, 1));
  return static_cast<int>(std::clamp(kActions / actions, 1.0, kMost));
}

}  // namespace

double actionsPredicted(ScheduleKind schedule, std::size_t stages, int micro_batches) {
  const int orders = schedule == ScheduleKind::List ? 15 : 1;
  return 3.0 * static_cast<double>(stages) * micro_batches * orders;
}

CutForecast::CutForecast(PartitionProblem problem, CostModel costs, ScheduleKind schedule,
                         std::optional<CutMemory> memory)
    : m_problem(std::move(problem)),
      m_costs{std::move(costs), std::nullopt},
      m_schedule(schedule),
      m_memory(std::move(memory)) {
  m_costs.whole.lane_slowness.clear();
  for (const PartitionLane& lane : m_problem.lanes) m_costs.whole.lane_slowness.push_back(lane.slowness);
}

Schedule CutForecast::scheduleOf(const std::vector<Stage>& stages, int micro_batches, WindowKind window) const {
  Result<Schedule> schedule =
      generateSchedule(m_schedule, m_problem.lane_of_stage, static_cast<int>(m_problem.lanes.size()), micro_batches,
                       window, stageTimesOf(m_costs.whole, stages));
  assert(schedule.ok());
  return std::move(*schedule);
}

double CutForecast::secondsOf(const std::vector<BlockId>& cuts, WindowKind window) const {
  const std::vector<Stage> stages = stagesOfCuts(m_problem, cuts);
  const Schedule schedule = scheduleOf(stages, m_problem.micro_batches, window);
  const Simulation simulation =
      window == WindowKind::Period ? simulateSteady(schedule, stages, m_costs) : simulate(schedule, stages, m_costs);
  return simulation.step_seconds;
}

std::vector<std::int64_t> CutForecast::peaksOf(const std::vector<BlockId>& cuts) const {
  const std::vector<Stage> stages = stagesOfCuts(m_problem, cuts);
  const Schedule schedule = scheduleOf(stages, m_memory->micro_batches.count(), m_memory->window);
  std::vector<std::int64_t> peaks;
  for (const LaneForecast& lane :
       forecastMemory(ForecastQuestion{m_memory->resolution->model(), stages, m_memory->micro_batches, schedule,
                                       m_memory->training, m_memory->lanes}))
    peaks.push_back(lane.at_peak.total());
  return peaks;
}

double CutForecast::excessOf(const std::vector<BlockId>& cuts) const {
  const std::vector<std::int64_t> peaks = peaksOf(cuts);
  std::vector<LaneOverLimit> over;
  for (std::size_t lane = 0; lane < peaks.size(); ++lane)
    if (const std::int64_t limit = m_memory->limits[lane]; limit > 0 && peaks[lane] > limit)
      over.push_back({LaneId(lane), peaks[lane], limit});
  return memoryExcess(over);
}

StepForecast CutForecast::of(const std::vector<BlockId>& cuts) const {
  return {secondsOf(cuts, WindowKind::Step), secondsOf(cuts, WindowKind::Period)};
}

FastestCut CutForecast::search(const std::vector<BlockId>& start, CutJudge judge) const {
  int most = mostPredictions(m_problem, m_schedule);
  if (m_memory) {
    judge.excess = [this](const std::vector<BlockId>& cuts) { return excessOf(cuts); };
    most = std::min(most, kMostMemoryForecasts);
  }
  return fastestCut(static_cast<int>(m_problem.blocks.size()), start, judge, most);
}

FastestCut CutForecast::fastest(const std::vector<BlockId>& start, WindowKind window) const {
  return search(start, {[this, window](const std::vector<BlockId>& cuts) { return secondsOf(cuts, window); }});
}

FastestCut CutForecast::leastObjective(const std::vector<BlockId>& start) const {
  return search(start,
                {[this](const std::vector<BlockId>& cuts) { return evaluatePartition(m_problem, cuts).objective; }});
}

}  // namespace lanelab
