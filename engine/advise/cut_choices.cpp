// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/cut_choices.h"

#include <map>

#include "engine/advise/variant_cuts.h"
#include "engine/placement/partition_compare.h"

namespace lanelab {
namespace {

using Kind = CutChoice::Kind;

Kind kindOf(const std::string& name) {
  static const std::map<std::string, Kind> kinds = {{"measured time", Kind::MeasuredTime},
                                                    {"MACs", Kind::Macs},
                                                    {"parameters", Kind::Parameters},
                                                    {"memory", Kind::Memory},
                                                    {"tutorial", Kind::Tutorial}};
  return kinds.at(name);
}

/// Whatever the placement is: its stages may lie on any lanes.
CutChoice asPlaced(const ResolvedVariant& variant, const std::vector<const BlockProfile*>& of_lane,
                   PartitionProblem problem) {
  std::vector<BlockId> cuts;
  problem.lane_of_stage.clear();
  for (const Stage& stage : variant.stages()) {
    problem.lane_of_stage.push_back(stage.lane);
    if (stage.first.value > 0) cuts.push_back(stage.first);
  }
  return {Kind::AsPlaced, namesOf(variant.model(), cuts), secondsWithinLimits(variant, of_lane),
          evaluatePartition(problem, cuts).bottleneck, variant.config()};
}

}  // namespace

Result<CutChoices> cutChoices(const ResolvedVariant& variant, const std::vector<const BlockProfile*>& of_lane) {
  if (stageLanesOf(variant).size() < 2)
    return Error::badInput("This variant has one stage per replica or device, so there is nothing to cut. Add a lane.");
  const PartitionProblem problem = partitionProblemOf(variant, of_lane);
  const Result<std::vector<NamedPartition>> partitions = comparePartitions(
      problem, variant.model(), {optimizerStates(variant.experiment().training), variant.microBatches().split_size});
  if (!partitions.ok()) return partitions.error();
  CutChoices choices;
  choices.window = windowKindOf(variant.stepBarrier());
  choices.split_size = variant.microBatches().split_size;
  choices.interpolated = of_lane[problem.lane_of_stage.front().index()]->find(choices.split_size) == nullptr;
  const auto add = [&](Kind kind, const std::vector<BlockId>& cuts, double seconds, double bottleneck) {
    const std::vector<std::string> names = namesOf(variant.model(), cuts);
    choices.rows.push_back({kind, names, seconds, bottleneck, withCuts(variant, names)});
  };
  const FastestCut fastest = fastestCutOf(variant, of_lane, partitions->front().partition.cuts);
  choices.tried = fastest.tried;
  choices.all_tried = fastest.all_tried;
  add(Kind::PredictedStep, fastest.cuts, fastest.seconds, evaluatePartition(problem, fastest.cuts).bottleneck);
  for (const auto& [name, cut] : *partitions) {
    if (kindOf(name) == Kind::MeasuredTime && cut.cuts == fastest.cuts) continue;
    add(kindOf(name), cut.cuts, secondsWithCuts(variant, of_lane, cut.cuts), cut.bottleneck);
  }
  choices.rows.push_back(asPlaced(variant, of_lane, problem));
  return choices;
}

}  // namespace lanelab
