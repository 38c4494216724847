// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/replica_edits.h"

#include <algorithm>

#include "engine/experiment/experiment_edits.h"
#include "engine/schedule/generate.h"

namespace lanelab {

namespace {

bool isPipelined(const VariantConfig& variant) { return variant.cuts && !variant.cuts->empty(); }

/// The modes of a variant that replicas cannot train in, whoever asked for them.
void fitModes(const Experiment& experiment, VariantConfig& variant) {
  if (variant.precision.value_or(experiment.training.precision) == Precision::Bf16) variant.precision = Precision::Fp32;
  if (variant.batch_norm.value_or(experiment.training.batch_norm) == BatchNormMode::Synchronised)
    variant.batch_norm = BatchNormMode::MicroBatch;
}

void forgetSchedule(VariantConfig& variant) {
  variant.schedule = VariantConfig{}.schedule;
  variant.warm_up.reset();
  variant.activation_limit_mib.reset();
  variant.stage_times.reset();
  variant.actions.reset();
}

void keepFirstStageOnly(VariantConfig& variant) {
  variant.cuts.reset();
  variant.replicas.reset();
  variant.split_size.reset();
  forgetSchedule(variant);
  if (variant.recompute) std::erase_if(*variant.recompute, [](int stage) { return stage > 0; });
}

}  // namespace

ReplicaSplit replicaSplitOf(const Experiment& experiment, const VariantConfig& variant) {
  VariantConfig known = variant;
  known.lanes.emplace();
  for (const LaneId lane : usableLanes(experiment, variant)) known.lanes->push_back(lane.value);
  if (known.lanes->empty()) known.lanes->push_back(0);
  ReplicaSplit split = splitIntoReplicas(experiment, known);
  split.one.placement.reset();
  return split;
}

int samplesOfReplica(const Experiment& experiment, const VariantConfig& variant) {
  return std::max(1, isReplicated(variant) ? replicaSplitOf(experiment, variant).samples : experiment.data.batch);
}

std::vector<int> possibleLanesOfReplica(const Experiment& experiment, const ModelSpec& model,
                                        const VariantConfig& variant) {
  const int lanes = static_cast<int>(usableLanes(experiment, variant).size());
  std::vector<int> possible;
  for (int each = 1; each <= std::min(lanes, static_cast<int>(model.blocks.size())); ++each)
    if (lanes % each == 0) possible.push_back(each);
  return possible;
}

void setLanesOfReplica(const Experiment& experiment, const ModelSpec& model, int lanes, VariantConfig& variant) {
  if (lanes <= 1) return keepFirstStageOnly(variant);
  variant.replicas.reset();
  forgetSchedule(variant);
  std::vector<LaneId> first = usableLanes(experiment, variant);
  if (static_cast<int>(first.size()) < lanes) return;
  first.resize(static_cast<std::size_t>(lanes));
  variant.cuts = cutNames(model, balancedPlacement(model, first));
  const int samples = samplesOfReplica(experiment, variant);
  variant.split_size = std::min(variant.split_size.value_or(std::max(1, samples / 4)), samples);
}

void becomeReplicated(const Experiment& experiment, VariantConfig& variant) {
  variant.placement.reset();
  const bool several = variant.strategy == Strategy::Ddp && isPipelined(variant) &&
                       usableLanes(experiment, variant).size() % (variant.cuts->size() + 1) == 0 &&
                       usableLanes(experiment, variant).size() > variant.cuts->size() + 1;
  if (!several) keepFirstStageOnly(variant);
  if (several && goesRoundTheLanes(variant.schedule)) forgetSchedule(variant);
  variant.actions.reset();
  if (variant.split_size) variant.split_size = std::min(*variant.split_size, samplesOfReplica(experiment, variant));
  fitModes(experiment, variant);
}

void settleReplicas(const Experiment& experiment, VariantConfig& variant) {
  if (!isReplicated(variant)) return;
  const std::size_t lanes = usableLanes(experiment, variant).size();
  if (variant.replicas && (*variant.replicas < 1 || lanes % static_cast<std::size_t>(*variant.replicas) != 0))
    variant.replicas.reset();
  if (!variant.replicas && isPipelined(variant) && lanes % (variant.cuts->size() + 1) != 0) keepFirstStageOnly(variant);
  if (variant.split_size) variant.split_size = std::min(*variant.split_size, samplesOfReplica(experiment, variant));
}

std::vector<int> repeatedLanes(const Experiment& experiment, const VariantConfig& variant) {
  std::vector<int> repeated_lanes(experiment.lanes.size(), -1);
  if (!isReplicated(variant)) return repeated_lanes;
  const StageLanes lanes = replicaSplitOf(experiment, variant).lanes;
  for (std::size_t replica = 1; replica < lanes.size(); ++replica)
    for (std::size_t i = 0; i < lanes[replica].size(); ++i)
      if (lanes[replica][i].index() < repeated_lanes.size())
        repeated_lanes[lanes[replica][i].index()] = lanes[0][i].value;
  return repeated_lanes;
}

std::string whyReplicasStay(const VariantConfig& variant) {
  if (variant.strategy == Strategy::DataParallel)
    return "DataParallel puts the whole model on every lane, so no block can move. Choose another strategy to place "
           "blocks.";
  return "The replicas of DDP are cut alike, each on lanes of its own: move a cut by its handle on the first replica, "
         "or choose the lanes a replica "
         "has in the form.";
}

}  // namespace lanelab
