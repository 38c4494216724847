// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/cut_choices.h"

#include <map>

#include "engine/advise/counted_micro_batches.h"
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

PartitionProblem problemOf(const ResolvedVariant& variant, const std::vector<const BlockProfile*>& of_lane) {
  const int split_size = variant.splitSize();
  const BlockProfile& base = *of_lane[variant.lanes().front().index()];
  const CostModel costs = costsAt(base, split_size);
  PartitionProblem problem;
  for (const BlockCost& block : costs.blocks)
    problem.blocks.push_back({block.name, block.forward + block.backward, 0, 0, 0});
  problem.transfers = costs.transfers;
  setBytes(problem, variant.model(), optimizerStates(variant.experiment().training), split_size);
  for (const BlockProfile* const profile : of_lane) problem.lanes.push_back({slownessOf(base, *profile, split_size)});
  problem.lane_of_stage = variant.lanes();
  problem.micro_batches =
      countedMicroBatches(variant, MicroBatches{variant.experiment().data.batch, split_size}.count());
  return problem;
}

Placement placementByCuts(const PartitionProblem& problem, const std::vector<BlockId>& cuts) {
  Placement placement;
  std::size_t stage = 0;
  for (std::size_t block = 0; block < problem.blocks.size(); ++block) {
    if (stage < cuts.size() && cuts[stage].index() == block) ++stage;
    placement.lane_of_block.push_back(problem.lane_of_stage[stage]);
  }
  return placement;
}

CutChoice choiceOf(const PartitionProblem& problem, CutChoice::Kind kind, const Partition& partition) {
  CutChoice choice{kind, placementByCuts(problem, partition.cuts), {}, partition};
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

Result<CutChoices> cutChoices(const ResolvedVariant& variant, const std::vector<const BlockProfile*>& of_lane) {
  if (variant.replicated())
    return Error::badInput(
        "The lanes of this variant are replicas, which are cut alike. Choose a pipeline to compare cuts.");
  if (variant.lanes().size() < 2)
    return Error::badInput("This variant has one lane, so there is nothing to cut. Add a lane.");
  CutChoices choices;
  choices.split_size = variant.splitSize();
  const PartitionProblem problem = problemOf(variant, of_lane);
  choices.interpolated = of_lane[problem.lane_of_stage.front().index()]->find(choices.split_size) == nullptr;
  const Result<std::vector<NamedPartition>> rows = comparePartitions(problem, variant.model());
  if (!rows.ok()) return rows.error();
  for (const NamedPartition& row : *rows) choices.rows.push_back(choiceOf(problem, kindOf(row.name), row.partition));
  choices.rows.push_back(asPlaced(problem, variant.placement()));
  return choices;
}

}  // namespace lanelab
