// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/edits/replica_edits.h"

#include <algorithm>

#include "engine/experiment/edits/balanced_cuts.h"
#include "engine/experiment/variant_replicas.h"
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

void reduceToFirstStage(VariantConfig& variant) {
  variant.cuts.reset();
  variant.replicas.reset();
  variant.split_size.reset();
  changeSchedule(variant);
  dropLostRecompute(variant, 1);
}

/// Samples that one replica gets at most; the batch for variants without replicas.
int samplesOfReplica(const Experiment& experiment, const VariantConfig& variant) {
  return std::max(1, replicaSplit(experiment, variant).samples);
}

}  // namespace

std::vector<int> possibleLanesOfReplica(const ResolvedVariant& variant) {
  const int lanes = static_cast<int>(variant.lanes().size());
  const int blocks = static_cast<int>(variant.model().blocks.size());
  std::vector<int> possible;
  for (int each = 1; each <= std::min(lanes, blocks); ++each)
    if (lanes % each == 0) possible.push_back(each);
  return possible;
}

void setLanesOfReplica(const Experiment& experiment, const ModelSpec& model, int lanes, VariantConfig& variant) {
  if (lanes <= 1) return reduceToFirstStage(variant);
  variant.replicas.reset();
  changeSchedule(variant);
  std::vector<LaneId> first = variantLanes(experiment, variant);
  if (static_cast<int>(first.size()) < lanes) return;
  first.resize(static_cast<std::size_t>(lanes));
  variant.cuts = cutNames(model, balancedPlacement(model, first));
  const int samples = samplesOfReplica(experiment, variant);
  variant.split_size = std::min(variant.split_size.value_or(std::max(1, samples / 4)), samples);
}

void becomeReplicated(const Experiment& experiment, VariantConfig& variant) {
  variant.placement.reset();
  const bool several = variant.strategy == Strategy::Ddp && isPipelined(variant) &&
                       variantLanes(experiment, variant).size() % (variant.cuts->size() + 1) == 0 &&
                       variantLanes(experiment, variant).size() > variant.cuts->size() + 1;
  if (!several) reduceToFirstStage(variant);
  if (several && goesRoundTheLanes(variant.schedule)) changeSchedule(variant);
  variant.actions.reset();
  if (variant.split_size) variant.split_size = std::min(*variant.split_size, samplesOfReplica(experiment, variant));
  fitModes(experiment, variant);
}

void settleReplicas(const Experiment& experiment, VariantConfig& variant) {
  if (!isReplicated(variant)) return;
  const std::size_t lanes = variantLanes(experiment, variant).size();
  if (variant.replicas && (*variant.replicas < 1 || lanes % static_cast<std::size_t>(*variant.replicas) != 0))
    variant.replicas.reset();
  if (!variant.replicas && isPipelined(variant) && lanes % (variant.cuts->size() + 1) != 0) reduceToFirstStage(variant);
  if (variant.split_size) variant.split_size = std::min(*variant.split_size, samplesOfReplica(experiment, variant));
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
