// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/step_predictor.h"

#include <algorithm>
#include <utility>

#include "engine/lanes/lane_infos.h"
#include "engine/sim/predicted_trace.h"

namespace lanelab {

StepPredictor::StepPredictor(LaneProfiles times) : m_times(std::move(times)) {}

StepPredictor::StepPredictor(const BlockTimes& times)
    : m_times(times.profiles), m_has_range(times.origin != BlockTimes::Origin::Estimated) {}

StepPredictor::StepPredictor(BlockProfile times, std::size_t lanes)
    : m_times(LaneProfiles::alike(std::move(times), lanes)) {}

StepPredictor::StepPredictor(CostModel costs) : m_fixed(std::move(costs)), m_has_range(false) {}

StepPredictor StepPredictor::onLanes(std::vector<double> slowness) const {
  StepPredictor other = *this;
  other.m_slowness = std::move(slowness);
  return other;
}

bool StepPredictor::knows(const ResolvedVariant& variant) const {
  const std::vector<BlockSpec>& blocks = variant.model().blocks;
  if (m_fixed) return std::ranges::equal(m_fixed->blocks, blocks, {}, &BlockCost::name, &BlockSpec::name);
  const auto matches = [&](const BlockProfile& profile) {
    return !profile.sizes.empty() && std::ranges::equal(profile.block_names, blocks, {}, {}, &BlockSpec::name);
  };
  return m_times.of_lane.size() == variant.experiment().lanes.size() && !m_times.profiles.empty() &&
         std::ranges::all_of(m_times.profiles, matches);
}

bool StepPredictor::knowsParts() const {
  const auto inSize = [](const BlockProfile::Size& size) {
    return std::ranges::all_of(size.blocks, [](const BlockTiming& block) { return block.backward_input.n > 0; });
  };
  return std::ranges::all_of(m_times.profiles,
                             [&](const BlockProfile& profile) { return std::ranges::all_of(profile.sizes, inSize); });
}

bool StepPredictor::interpolates(int samples) const {
  return std::ranges::any_of(m_times.profiles, [&](const BlockProfile& p) { return p.find(samples) == nullptr; });
}

CostModel StepPredictor::blockCosts(int samples, Backwards backwards) const {
  CostModel costs = m_fixed ? *m_fixed : costsOnLanes(m_times.ofLanes(), samples, backwards);
  if (!m_slowness.empty()) costs.lane_slowness = m_slowness;
  return costs;
}

StepCosts StepPredictor::costs(const VariantPlan& plan) const {
  const Backwards backwards = splitsBackward(plan.schedule) ? Backwards::Parts : Backwards::Whole;
  const auto of = [&](int samples) { return recomputing(blockCosts(samples, backwards), plan.forward_again); };
  const int whole = plan.micro_batches.split_size;
  const int last = plan.micro_batches.size(MicroBatchId(plan.micro_batches.count() - 1));
  StepCosts costs{of(whole), std::nullopt};
  if (last != whole && !m_fixed) costs.last = of(last);
  return costs;
}

StepPredictor StepPredictor::at(Quartile quartile) const {
  StepPredictor other = *this;
  for (BlockProfile& profile : other.m_times.profiles) profile = atQuartile(std::move(profile), quartile);
  return other;
}

PredictedTime StepPredictor::withRange(const VariantPlan& plan, double seconds) const {
  if (!m_has_range) return {seconds};
  const MicroBatches& micro_batches = plan.micro_batches;
  return {seconds,
          rangeOfStep({seconds, at(Quartile::Lower).seconds(plan), at(Quartile::Upper).seconds(plan),
                       micro_batches.count(), slowdownOf(m_times.profiles.front(), micro_batches.split_size)})};
}

StepForecast StepPredictor::bothWindows(const ResolvedVariant& variant, const Simulation& own) const {
  const bool period = own.window == WindowKind::Period;
  VariantConfig changed = variant.config();
  changed.step_barrier = period;
  const auto resolution = variant.with(changed);
  VariantPlan other = *variant.plan();
  if (const Result<VariantPlan>& remade = resolution->variants().front().plan(); remade.ok()) other = *remade;
  other.step_barrier = period ? StepBarrier::Asked : StepBarrier::None;
  const double seconds = this->seconds(other);
  return period ? StepForecast{seconds, own.step_seconds} : StepForecast{own.step_seconds, seconds};
}

std::shared_ptr<const Resolution> StepPredictor::ordered(const ResolvedVariant& variant) const {
  VariantConfig timed = variant.config();
  const VariantPlan& plan = *variant.plan();
  if (!m_fixed || plan.schedule_kind != ScheduleKind::List || timed.stage_times) return nullptr;
  timed.stage_times = stageTimesText(recomputing(*m_fixed, plan.forward_again), plan.stages);
  return variant.with(timed);
}

std::vector<std::string> stageTimesText(const CostModel& costs, const std::vector<Stage>& stages) {
  std::vector<std::string> texts;
  for (const StageTimes& times : stageTimesOf(costs, stages)) {
    const auto part = [&](ActionKind kind) { return std::to_string(durationOf(times, kind)); };
    texts.push_back(part(ActionKind::Forward) + ":" + part(ActionKind::BackwardInput) + ":" +
                    part(ActionKind::BackwardWeight));
  }
  return texts;
}

std::shared_ptr<const Trace> predictedTrace(const Simulation& simulation, const ResolvedVariant& variant) {
  return predictedTrace(simulation, variant.config().name, laneInfos(variant.experiment().lanes));
}

}  // namespace lanelab
