// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/placement_prediction.h"

#include <algorithm>

#include "engine/advise/counted_micro_batches.h"
#include "engine/lanes/lane_infos.h"
#include "engine/placement/partition.h"
#include "engine/schedule/generate.h"
#include "engine/sim/measured_costs.h"
#include "engine/sim/predicted_trace.h"
#include "profiler/analysis/idle_causes.h"

namespace lanelab {
namespace {

bool areOf(const BlockTimes& times, const ResolvedVariant& variant) {
  const auto& blocks = variant.model().blocks;
  const auto matches = [&](const BlockProfile& profile) {
    return !profile.sizes.empty() && std::ranges::equal(profile.block_names, blocks, {}, {}, &BlockSpec::name);
  };
  return times.profiles.of_lane.size() == variant.experiment().lanes.size() && !times.profiles.profiles.empty() &&
         std::ranges::all_of(times.profiles.profiles, matches);
}

/// The lane of each stage that a cut may give the variant.
std::vector<LaneId> stageLanesOf(const ResolvedVariant& variant) {
  if (variant.replicated()) return variant.replicaLanes().front();
  if (!goesRoundTheLanes(variant.config().schedule)) return variant.lanes();
  std::vector<LaneId> lanes;
  for (const Stage& stage : variant.stages()) lanes.push_back(stage.lane);
  return lanes;
}

PartitionProblem problemOf(const ResolvedVariant& variant, const BlockTimes& times) {
  const std::vector<const BlockProfile*> of_lane = times.profiles.ofLanes();
  PartitionProblem problem;
  problem.lane_of_stage = stageLanesOf(variant);
  const int samples = variant.microBatches().split_size;
  const BlockProfile& base = *of_lane[problem.lane_of_stage.front().index()];
  const CostModel costs = costsAt(base, samples);
  for (const BlockCost& block : costs.blocks)
    problem.blocks.push_back({block.name, block.forward + block.backward, 0, 0, 0});
  problem.transfers = costs.transfers;
  for (const BlockProfile* const profile : of_lane) problem.lanes.push_back({slownessOf(base, *profile, samples)});
  // One micro-batch takes as long however it is cut: then only the slowest lane counts.
  const int count = variant.microBatches().count();
  problem.micro_batches = count > 1 ? countedMicroBatches(variant, count) : 0;
  return problem;
}

}  // namespace

std::optional<PlacementPrediction> predictPlacement(const ResolvedVariant& variant, const BlockTimes& times) {
  const Result<VariantPlan>& plan = variant.plan();
  if (!plan.ok() || !areOf(times, variant)) return std::nullopt;
  const Simulation simulation = simulate(*plan, stepCostsOf(times.profiles.ofLanes(), *plan));
  const auto trace = predictedTrace(simulation, plan->name, laneInfos(variant.experiment().lanes));
  const double bubble = bubbleShares(explainActions(*trace)).of_total;
  double idle = 0;
  int working = 0;
  for (const SimulatedLane& lane : simulation.lanes) {
    if (lane.actions.empty()) continue;
    idle += lane.idle;
    ++working;
  }
  const double windows = working * simulation.step_seconds;
  return PlacementPrediction{simulation.step_seconds, bubble, windows > 0 ? idle / windows : 0, simulation.window};
}

Result<std::vector<std::string>> balancedCuts(const ResolvedVariant& variant, const BlockTimes& times) {
  if (!areOf(times, variant)) return Error::badInput("There are no block times of this model to balance by.");
  if (stageLanesOf(variant).size() < 2)
    return Error::badInput(
        "This variant has one stage per replica or device, so there is nothing to balance. Give it another lane.");
  const PartitionProblem problem = problemOf(variant, times);
  const Result<Partition> best = partition(problem);
  if (!best.ok()) return best.error();
  std::vector<std::string> cuts;
  for (const BlockId cut : best->cuts) cuts.push_back(problem.blocks[cut.index()].name);
  return cuts;
}

}  // namespace lanelab
