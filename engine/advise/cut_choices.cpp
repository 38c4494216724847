// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/cut_choices.h"

#include <algorithm>
#include <map>

#include "engine/experiment/experiment_edits.h"
#include "engine/experiment/variant_replicas.h"
#include "engine/placement/micro_batches.h"
#include "engine/placement/partition_compare.h"
#include "engine/sim/measured_costs.h"

namespace lanelab {
namespace {

CutChoice::Kind kindOf(const std::string& name) {
  static const std::map<std::string, CutChoice::Kind> kinds = {{"measured time", CutChoice::Kind::MeasuredTime},
                                                               {"MACs", CutChoice::Kind::Macs},
                                                               {"parameters", CutChoice::Kind::Parameters},
                                                               {"memory", CutChoice::Kind::Memory},
                                                               {"tutorial", CutChoice::Kind::Tutorial}};
  return kinds.at(name);
}

PartitionProblem problemOf(const Experiment& experiment, const ModelSpec& model, const VariantConfig& variant,
                           const std::vector<const BlockProfile*>& of_lane, int split_size) {
  const std::vector<LaneId> lanes = usableLanes(experiment, variant);
  const BlockProfile& base = *of_lane[lanes.front().index()];
  const CostModel costs = costsAt(base, split_size);
  PartitionProblem problem;
  for (const BlockCost& block : costs.blocks)
    problem.blocks.push_back({block.name, block.forward + block.backward, 0, 0, 0});
  problem.transfers = costs.transfers;
  setBytes(problem, model, optimizerStates(experiment.training), split_size);
  for (const BlockProfile* const profile : of_lane) problem.lanes.push_back({slownessOf(base, *profile, split_size)});
  problem.lane_of_stage = lanes;
  problem.micro_batches = MicroBatches{experiment.data.batch, split_size}.count();
  return problem;
}

Placement placementOf(const PartitionProblem& problem, const std::vector<BlockId>& cuts) {
  Placement placement;
  std::size_t stage = 0;
  for (std::size_t block = 0; block < problem.blocks.size(); ++block) {
    if (stage < cuts.size() && cuts[stage].index() == block) ++stage;
    placement.lane_of_block.push_back(problem.lane_of_stage[stage]);
  }
  return placement;
}

CutChoice choiceOf(const PartitionProblem& problem, CutChoice::Kind kind, const Partition& partition) {
  CutChoice choice{kind, placementOf(problem, partition.cuts), {}, partition};
  for (const BlockId cut : partition.cuts) choice.cuts.push_back(problem.blocks[cut.index()].name);
  return choice;
}

/// Whatever the placement is: its stages may lie on any lanes.
CutChoice asPlaced(PartitionProblem problem, const Placement& placement) {
  std::vector<BlockId> cuts;
  problem.lane_of_stage.clear();
  for (const Stage& stage : stagesOf(placement)) {
    problem.lane_of_stage.push_back(stage.lane);
    if (stage.first.value > 0) cuts.push_back(stage.first);
  }
  return choiceOf(problem, CutChoice::Kind::AsPlaced, evaluatePartition(problem, cuts));
}

}  // namespace

Result<CutChoices> cutChoices(const Experiment& experiment, const ModelSpec& model, const VariantConfig& variant,
                              const std::vector<const BlockProfile*>& of_lane) {
  if (isReplicated(variant))
    return Error::badInput(
        "The lanes of this variant are replicas, which are cut alike. Choose a pipeline to compare cuts.");
  if (usableLanes(experiment, variant).size() < 2)
    return Error::badInput("This variant has one lane, so there is nothing to cut. Add a lane.");
  CutChoices choices;
  choices.split_size = splitSizeOf(experiment, variant);
  const PartitionProblem problem = problemOf(experiment, model, variant, of_lane, choices.split_size);
  choices.interpolated = of_lane[problem.lane_of_stage.front().index()]->find(choices.split_size) == nullptr;
  const Result<std::vector<NamedPartition>> rows = comparePartitions(problem, model);
  if (!rows.ok()) return rows.error();
  for (const NamedPartition& row : *rows) choices.rows.push_back(choiceOf(problem, kindOf(row.name), row.partition));
  choices.rows.push_back(asPlaced(problem, lanelab::placementOf(experiment, model, variant)));
  return choices;
}

}  // namespace lanelab
