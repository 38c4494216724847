// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/what_if_answer.h"

#include <cmath>

#include "engine/record/statistics.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {
namespace {

template <class Factors, class Key>
double factorOf(const Factors& factors, const Key& key) {
  const auto found = factors.find(key);
  return found == factors.end() ? 1 : found->second;
}

/// As replayWith() scales spans: a stage's factor is also that of its update.
CostModel scaled(CostModel costs, const std::vector<Stage>& stages, const WhatIf& factors) {
  for (const Stage& stage : stages) {
    const double of_stage = factorOf(factors.stages, stage.id.value);
    for (std::size_t i = stage.first.index(); i < stage.end.index(); ++i) {
      BlockCost& block = costs.blocks[i];
      const double factor = of_stage * factorOf(factors.blocks, block.name);
      block.forward *= factor;
      block.backward *= factor;
      block.backward_weight *= factor;
      block.update *= of_stage;
    }
    if (stage.end.index() < costs.blocks.size())
      costs.transfers[stage.end.index() - 1] *= factorOf(factors.links, stage.id.value);
  }
  return costs;
}

void scaleLanes(CostModel& costs, std::size_t lanes, const std::map<int, double>& factors) {
  for (const auto& [lane, factor] : factors) {
    if (costs.lane_slowness.empty()) costs.lane_slowness.assign(lanes, 1.0);
    costs.lane_slowness[static_cast<std::size_t>(lane)] *= factor;
  }
}

Simulation simulated(const StepPredictor& predictor, const VariantPlan& plan, const WhatIf& factors) {
  StepCosts costs = predictor.costs(plan);
  scaleLanes(costs.whole, plan.schedule.lanes.size(), factors.ranks);
  costs.whole = scaled(std::move(costs.whole), plan.stages, factors);
  if (costs.last) costs.last = scaled(std::move(*costs.last), plan.stages, factors);
  return simulate(plan, costs);
}

Nanoseconds stepOf(const Simulation& simulation) { return std::llround(simulation.step_seconds * 1e9); }

/// Nothing where it asks for other lengths only.
std::optional<VariantConfig> changedVariant(const WhatIfQuestion& question, const MeasuredVariant& known) {
  VariantConfig changed = known.config();
  const bool splits = question.split_size && *question.split_size != known.plan().micro_batches.split_size;
  const bool orders = question.schedule && (*question.schedule != changed.schedule || changed.actions);
  if (!splits && !orders) return std::nullopt;
  if (splits) changed.split_size = question.split_size;
  if (orders) changeSchedule(changed, *question.schedule);
  if (changed.strategy == Strategy::ModelParallel) changed.strategy = Strategy::Pipeline;
  return changed;
}

std::optional<WhatIfAnswer> simulatedAnswer(const WhatIfQuestion& question, const MeasuredVariant& known,
                                            const VariantConfig& changed) {
  const auto resolution = known.resolution->with(changed);
  const ResolvedVariant& other = resolution->variants().front();
  if (!other.plan().ok()) return std::nullopt;
  const StepPredictor predictor = known.predictor();
  const Simulation before = predictor.simulation(known.plan()),
                   after = simulated(predictor, *other.plan(), question.factors);
  return WhatIfAnswer{predictedTrace(before, *known.variant),
                      predictedTrace(after, other),
                      stepOf(before),
                      stepOf(after),
                      true,
                      rangeOfChange(before.step_seconds, after.step_seconds, known.error)};
}

}  // namespace

Status checkQuestion(const WhatIfQuestion& question, const MeasuredVariant& known) {
  const std::optional<VariantConfig> changed = changedVariant(question, known);
  if (!changed) return {};
  const auto resolution = known.resolution->with(*changed);
  const Result<VariantPlan>& plan = resolution->variants().front().plan();
  if (!plan.ok()) return Error::badInput(plan.error());
  if (question.schedule && splitsBackward(plan->schedule) && !known.predictor().knowsParts())
    return Error::badInput(
        "{} splits the backward, and the run did not measure its parts. Measure them with lanelab-cli profile.",
        titleOf(*question.schedule));
  return {};
}

std::optional<WhatIfAnswer> answerTo(const WhatIfQuestion& question, const std::shared_ptr<const Trace>& measured,
                                     const MeasuredVariant* known) {
  if (const auto changed = known == nullptr ? std::nullopt : changedVariant(question, *known))
    return simulatedAnswer(question, *known, *changed);
  std::optional<WhatIfAnswer> answer =
      WhatIfAnswer{measured, std::make_shared<const Trace>(replayWith(*measured, question.factors)), 0, 0, false};
  answer->step_before = meanStepPeriod(*answer->before).value_or(0);
  answer->step_after = meanStepPeriod(*answer->after).value_or(0);
  answer->range = rangeOfReplay(*answer->before, *answer->after);
  return answer;
}

std::optional<ForecastRange> rangeOfReplay(const Trace& measured, const Trace& replayed) {
  const std::optional<Nanoseconds> before = meanStepPeriod(measured), after = meanStepPeriod(replayed);
  if (!before || !after || *before <= 0 || *after <= 0) return std::nullopt;
  std::vector<double> steps;
  for (const Nanoseconds step : stepPeriods(measured))
    if (step > 0) steps.push_back(1e-9 * static_cast<double>(step));
  const double error = steps.size() > 1 ? std::sqrt(logTimesOf(steps).squared_error) : 0;
  return rangeOfChange(1e-9 * static_cast<double>(*before), 1e-9 * static_cast<double>(*after), error);
}

}  // namespace lanelab
