// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/variant_cuts.h"

#include <algorithm>
#include <limits>

#include "engine/advise/cut_forecast.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/memory/variant_memory.h"
#include "engine/schedule/generate.h"
#include "engine/sim/measured_costs.h"

namespace lanelab {
namespace {

/// How many predictions take about half a second: one costs about 0.2 ms and 2 us for each action of a step.
int mostPredictions(const ResolvedVariant& variant) {
  constexpr double kMicroseconds = 6e5, kMost = 3000;
  const double actions =
      actionsPredicted(variant.config().schedule, stageLanesOf(variant).size(), variant.microBatches().count());
  return static_cast<int>(std::clamp(kMicroseconds / (200 + 2 * actions), 1.0, kMost));
}

double excessOf(const ResolvedVariant& variant) {
  return memoryExcess(lanesOverLimit(variant.experiment(), forecastMemory(variant)));
}

}  // namespace

std::vector<LaneId> stageLanesOf(const ResolvedVariant& variant) {
  if (variant.replicated()) return variant.replicaLanes().front();
  if (!goesRoundTheLanes(variant.config().schedule)) return variant.lanes();
  std::vector<LaneId> lanes;
  for (const Stage& stage : variant.stages()) lanes.push_back(stage.lane);
  return lanes;
}

PartitionProblem partitionProblemOf(const ResolvedVariant& variant, const StepPredictor& predictor) {
  const Backwards backwards = splitsBackward(variant.config().schedule) ? Backwards::Parts : Backwards::Whole;
  const MicroBatches micro_batches = variant.microBatches();
  PartitionProblem problem = chainOf(predictor.blockCosts(micro_batches.split_size, backwards), stageLanesOf(variant),
                                     variant.experiment().lanes.size());
  // One micro-batch takes as long however it is cut: then only the slowest lane counts.
  const int count = micro_batches.count();
  problem.micro_batches = count > 1 ? count : 0;
  return problem;
}

std::vector<std::string> namesOf(const ModelSpec& model, const std::vector<BlockId>& cuts) {
  std::vector<std::string> names;
  for (const BlockId cut : cuts) names.push_back(model.blocks[cut.index()].name);
  return names;
}

/// Replicas, and lanes that the stages go round, follow from the cuts; else the i-th lane takes stage i.
VariantConfig withCuts(const ResolvedVariant& variant, const std::vector<std::string>& cuts) {
  VariantConfig changed = variant.config();
  if (variant.replicated() || goesRoundTheLanes(changed.schedule)) {
    changed.cuts = cuts;
    changed.placement.reset();
  } else if (const auto placement = placementFromCuts(variant.model(), cuts, variant.lanes()); placement.ok()) {
    writePlacement(variant.experiment(), variant.model(), *placement, changed);
  }
  return changed;
}

double secondsWithinLimits(const ResolvedVariant& variant, const StepPredictor& predictor) {
  const Result<VariantPlan>& plan = variant.plan();
  const bool can_run = plan.ok() && (!hasMemoryLimits(variant.experiment()) || excessOf(variant) == 0);
  return can_run ? predictor.seconds(*plan) : std::numeric_limits<double>::infinity();
}

FastestCut fastestCutOf(const ResolvedVariant& variant, const StepPredictor& predictor,
                        const std::vector<BlockId>& start) {
  CutJudge judge;
  const auto with = [&](const std::vector<BlockId>& cuts) {
    return variant.with(withCuts(variant, namesOf(variant.model(), cuts)));
  };
  judge.seconds = [&](const std::vector<BlockId>& cuts) {
    const auto resolution = with(cuts);
    const Result<VariantPlan>& plan = resolution->variants().front().plan();
    return plan.ok() ? predictor.seconds(*plan) : std::numeric_limits<double>::infinity();
  };
  if (hasMemoryLimits(variant.experiment()))
    judge.excess = [&](const std::vector<BlockId>& cuts) { return excessOf(with(cuts)->variants().front()); };
  return fastestCut(static_cast<int>(variant.model().blocks.size()), start, judge, mostPredictions(variant));
}

}  // namespace lanelab
