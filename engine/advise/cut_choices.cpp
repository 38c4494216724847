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
CutChoice asPlaced(const ResolvedVariant& variant, const StepPredictor& predictor, PartitionProblem problem) {
  std::vector<BlockId> cuts;
  problem.lane_of_stage.clear();
  for (const Stage& stage : variant.stages()) {
    problem.lane_of_stage.push_back(stage.lane);
    if (stage.first.value > 0) cuts.push_back(stage.first);
  }
  return {Kind::AsPlaced, namesOf(variant.model(), cuts), secondsWithinLimits(variant, predictor),
          evaluatePartition(problem, cuts).bottleneck, variant.config()};
}

}  // namespace

Result<CutChoices> cutChoices(const ResolvedVariant& variant, const StepPredictor& predictor) {
  if (stageLanesOf(variant).size() < 2)
    return Error::badInput("This variant has one stage per replica or device, so there is nothing to cut. Add a lane.");
  const PartitionProblem problem = partitionProblemOf(variant, predictor);
  const Result<std::vector<NamedPartition>> partitions = comparePartitions(
      problem, variant.model(), {optimizerStates(variant.experiment().training), variant.microBatches().split_size});
  if (!partitions.ok()) return partitions.error();
  CutChoices choices;
  choices.window = windowKindOf(variant.stepBarrier());
  choices.split_size = variant.microBatches().split_size;
  choices.interpolated = predictor.interpolates(choices.split_size);
  const auto add = [&](Kind kind, const std::vector<BlockId>& cuts) {
    const std::vector<std::string> names = namesOf(variant.model(), cuts);
    const VariantConfig changed = withCuts(variant, names);
    const auto resolution = variant.with(changed);
    choices.rows.push_back({kind, names, secondsWithinLimits(resolution->variants().front(), predictor),
                            evaluatePartition(problem, cuts).bottleneck, changed});
  };
  const FastestCut fastest = fastestCutOf(variant, predictor, partitions->front().partition.cuts);
  choices.tried = fastest.tried;
  choices.all_tried = fastest.all_tried;
  add(Kind::PredictedStep, fastest.cuts);
  for (const auto& [name, cut] : *partitions)
    if (kindOf(name) != Kind::MeasuredTime || cut.cuts != fastest.cuts) add(kindOf(name), cut.cuts);
  choices.rows.push_back(asPlaced(variant, predictor, problem));
  return choices;
}

}  // namespace lanelab
