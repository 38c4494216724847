// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/cut_forecast.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/experiment/variant_schedule.h"
#include "engine/memory/variant_memory.h"
#include "engine/schedule/generate.h"

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

PartitionProblem chainOf(const CostModel& costs, std::vector<LaneId> lane_of_stage, std::size_t lanes) {
  PartitionProblem problem;
  for (const BlockCost& block : costs.blocks) problem.blocks.push_back({block.name, block.forward + block.backward});
  problem.transfers = costs.transfers;
  for (std::size_t lane = 0; lane < lanes; ++lane) problem.slowness.push_back(costs.slownessOf(LaneId(lane)));
  problem.lane_of_stage = std::move(lane_of_stage);
  return problem;
}

CutForecast::CutForecast(PartitionProblem problem, const StepPredictor& predictor, ScheduleKind schedule,
                         std::optional<CutExperiment> experiment)
    : m_problem(std::move(problem)),
      m_predictor(predictor.onLanes(m_problem.slowness)),
      m_schedule(schedule),
      m_micro_batches{std::max(m_problem.micro_batches, 1), 1},
      m_experiment(std::move(experiment)) {
  if (m_experiment) {
    const Experiment& own = m_experiment->resolution->experiment();
    m_micro_batches = m_experiment->micro_batches;
    m_training = trainingMemory(own, m_experiment->resolution->model(), m_experiment->modes);
    m_traits = laneMemoryTraits(own);
    m_traits.resize(m_problem.slowness.size(), m_traits.back());
  }
  m_costs = m_predictor.blockCosts(m_micro_batches.split_size,
                                   splitsBackward(schedule) ? Backwards::Parts : Backwards::Whole);
}

VariantPlan CutForecast::planOf(const std::vector<BlockId>& cuts, WindowKind window) const {
  VariantPlan plan;
  plan.strategy = Strategy::Pipeline;
  plan.schedule_kind = m_schedule;
  plan.stages = stagesOfCuts(m_problem, cuts);
  plan.micro_batches = m_micro_batches;
  plan.step_barrier = window == WindowKind::Period ? StepBarrier::None : StepBarrier::Asked;
  const Resolution* const whole = m_experiment ? m_experiment->resolution.get() : nullptr;
  if (whole) plan.forward_again = forwardAgain(whole->model(), plan.stages, m_experiment->modes);
  plan.schedule = scheduleOf(plan, window);
  if (whole)
    plan.schedule.updates_last =
        updatesLast(whole->experiment().training, plan.stages.size(), tiedStages(whole->model(), plan.stages));
  return plan;
}

Schedule CutForecast::scheduleOf(const VariantPlan& plan, WindowKind window) const {
  const int count = m_micro_batches.count();
  VariantConfig config;
  config.strategy = Strategy::Pipeline;
  config.schedule = m_schedule;
  Result<Schedule> schedule =
      m_experiment && m_schedule != ScheduleKind::List
          ? lanelab::scheduleOf(config, {m_experiment->resolution->model(), plan.stages, m_problem.slowness.size(),
                                         m_micro_batches.split_size, count, window})
          : generateSchedule(m_schedule, m_problem.lane_of_stage, static_cast<int>(m_problem.slowness.size()), count,
                             window, lanelab::stageTimesOf(recomputing(m_costs, plan.forward_again), plan.stages));
  assert(schedule.ok());
  return std::move(*schedule);
}

PredictedTime CutForecast::stepOf(const std::vector<BlockId>& cuts, WindowKind window) const {
  return m_predictor.step(planOf(cuts, window));
}

StepBound CutForecast::boundOf(const std::vector<BlockId>& cuts, WindowKind window) const {
  return m_predictor.bound(planOf(cuts, window));
}

std::vector<std::string> CutForecast::stageTimesOf(const std::vector<BlockId>& cuts) const {
  if (m_schedule != ScheduleKind::List) return {};
  const VariantPlan plan = planOf(cuts, WindowKind::Step);
  return stageTimesText(recomputing(m_costs, plan.forward_again), plan.stages);
}

double CutForecast::secondsOf(const std::vector<BlockId>& cuts, WindowKind window) const {
  return m_predictor.seconds(planOf(cuts, window));
}

std::vector<std::int64_t> CutForecast::peaksOf(const std::vector<BlockId>& cuts) const {
  const VariantPlan plan = planOf(cuts, m_experiment->window);
  std::vector<std::int64_t> peaks;
  for (const LaneForecast& lane : forecastMemory(ForecastQuestion{
           m_experiment->resolution->model(), plan.stages, plan.micro_batches, plan.schedule, m_training, m_traits}))
    peaks.push_back(lane.at_peak.total());
  return peaks;
}

double CutForecast::excessOf(const std::vector<BlockId>& cuts) const {
  const std::vector<std::int64_t> peaks = peaksOf(cuts);
  std::vector<LaneOverLimit> over;
  for (std::size_t lane = 0; lane < peaks.size(); ++lane)
    if (const std::int64_t limit = m_experiment->limits[lane]; limit > 0 && peaks[lane] > limit)
      over.push_back({LaneId(lane), peaks[lane], limit});
  return memoryExcess(over);
}

StepForecast CutForecast::of(const std::vector<BlockId>& cuts) const {
  return {secondsOf(cuts, WindowKind::Step), secondsOf(cuts, WindowKind::Period)};
}

FastestCut CutForecast::search(const std::vector<BlockId>& start, CutJudge judge) const {
  int most = mostPredictions(m_problem, m_schedule);
  if (hasLimits()) {
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
