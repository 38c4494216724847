// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/variant_replicas.h"

#include <algorithm>

#include "base/text.h"
#include "engine/placement/micro_batches.h"
#include "engine/schedule/replicas.h"

namespace lanelab {
namespace {

bool isDdp(const VariantConfig& variant) { return variant.strategy == Strategy::Ddp; }

int stagesOfReplica(const VariantConfig& variant) {
  return isDdp(variant) && variant.cuts ? static_cast<int>(variant.cuts->size()) + 1 : 1;
}

/// At least 1, and no more than there are lanes.
int lanesOfReplica(const VariantConfig& variant, int lanes) {
  const int wanted = variant.replicas && *variant.replicas > 0 ? lanes / *variant.replicas : stagesOfReplica(variant);
  return std::clamp(wanted, 1, std::max(1, lanes));
}

void checkLanesOfReplicas(const VariantConfig& variant, int lanes, const std::string& where, Problems& problems) {
  if (variant.replicas) {
    if (*variant.replicas < 1 || lanes % *variant.replicas != 0)
      problems.add(where + ".replicas",
                   "{} lanes cannot be shared out evenly to {} replicas. Take a number that divides the lanes.", lanes,
                   *variant.replicas);
    return;
  }
  const int stages = stagesOfReplica(variant);
  if (lanes % stages != 0)
    problems.add(where + ".lanes",
                 "Each replica takes a lane for each of its {} stages, and {} lanes are not a multiple of that. Name "
                 "other lanes, or set `replicas`.",
                 stages, lanes);
}

void refuseKeysOfPipelines(const VariantConfig& variant, const std::string& where, Problems& problems) {
  const auto refuse = [&](bool given, const std::string& key, const std::string& why) {
    if (given) problems.add(where + "." + key, "{} Leave it out.", why);
  };
  if (isDdp(variant)) {
    refuse(variant.placement.has_value(), "placement",
           "The replicas of ddp are cut alike: they take cuts, no placement.");
    refuse(variant.actions.has_value(), "actions", "The schedule of a ddp variant goes by its name.");
    return;
  }
  const std::string whole = "Data parallel puts the whole model on every lane.";
  refuse(variant.cuts && !variant.cuts->empty(), "cuts", whole);
  refuse(variant.placement.has_value(), "placement", whole);
  refuse(variant.replicas.has_value(), "replicas", "Every lane is a replica in data parallel.");
  refuse(variant.split_size.has_value(), "split_size", "Data parallel cuts the batch into one chunk for each lane.");
}

/// Which parts of training the reduction of gradients does not reach.
void checkReplicaModes(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
                       Problems& problems) {
  const Precision precision = variant.precision.value_or(experiment.training.precision);
  if (precision == Precision::Bf16)
    problems.add(
        variant.precision ? where + ".precision" : "training.precision",
        "Replicas exchange gradients in fp32, and those of bf16 are in two places. Use fp32 or tf32 for \"{}\".",
        variant.name);
  const BatchNormMode norm = variant.batch_norm.value_or(experiment.training.batch_norm);
  if (norm == BatchNormMode::Synchronised)
    problems.add(variant.batch_norm ? where + ".batch_norm" : "training.batch_norm",
                 "Batch norm is not synchronised between replicas. Use micro-batch or deferred for \"{}\".",
                 variant.name);
}

void checkSamples(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
                  Problems& problems) {
  const ReplicaSplit split = replicaSplit(experiment, variant);
  const auto replicas = static_cast<int>(split.lanes.size());
  const int batch = experiment.data.batch;
  if (batch < 1) return;  // named as data.batch
  if (!isDdp(variant)) return;
  const int least = stridedRows(batch, replicas - 1, replicas);
  const int size = std::clamp(variant.split_size.value_or(split.samples), 1, std::max(1, split.samples));
  const int count = MicroBatches{split.samples, size}.count();
  if (least >= count) return;
  problems.add(least < 1 ? "data.batch" : where + ".split_size",
               "A batch of {} gives the last of {} replicas {} samples for {}. Use a larger batch or {}.", batch,
               replicas, least, counted(count, "micro-batch"), least < 1 ? "fewer lanes" : "split size");
}

}  // namespace

std::vector<LaneId> variantLanes(const Experiment& experiment, const VariantConfig& variant) {
  const auto count = static_cast<int>(experiment.lanes.size());
  std::vector<LaneId> lanes;
  if (variant.lanes) {
    for (const int lane : *variant.lanes) {
      if (lane >= 0 && lane < count) lanes.emplace_back(lane);
    }
  } else {
    for (int lane = 0; lane < count; ++lane) lanes.emplace_back(lane);
  }
  return lanes;
}

bool checkVariantLanes(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
                       Problems& problems) {
  if (experiment.lanes.empty()) return false;
  if (!variant.lanes) return true;
  const std::size_t before = problems.found.size();
  if (variant.lanes->empty())
    problems.add(where + ".lanes",
                 "The list of lanes is empty. Name at least one lane, or leave `lanes` out to use all.");
  if (variant.lanes->size() > kMostLanes) {
    problems.add(where + ".lanes", "{} lanes are listed; at most {} are possible. Name each lane once.",
                 variant.lanes->size(), kMostLanes);
    return false;
  }
  for (std::size_t i = 0; i < variant.lanes->size(); ++i) {
    const int lane = (*variant.lanes)[i];
    const std::string place = where + ".lanes[" + std::to_string(i) + "]";
    if (lane < 0 || static_cast<std::size_t>(lane) >= experiment.lanes.size()) {
      problems.add(place, "There is no lane {}: lanes are counted from 0 and there are {}.", lane,
                   experiment.lanes.size());
    } else if (std::find(variant.lanes->begin(), variant.lanes->begin() + static_cast<std::ptrdiff_t>(i), lane) !=
               variant.lanes->begin() + static_cast<std::ptrdiff_t>(i)) {
      problems.add(place, "Lane {} is listed twice. Keep one.", lane);
    }
  }
  return problems.found.size() == before;
}

bool isReplicated(const VariantConfig& variant) { return isDdp(variant) || variant.strategy == Strategy::DataParallel; }

ReplicaSplit replicaSplit(const Experiment& experiment, const VariantConfig& variant) {
  std::vector<LaneId> lanes = variantLanes(experiment, variant);
  if (lanes.empty()) lanes.emplace_back(0);
  if (!isReplicated(variant)) return {experiment.data.batch, {lanes}, variant};
  ReplicaSplit split{1, {}, variant};
  const int each = lanesOfReplica(variant, static_cast<int>(lanes.size()));
  for (auto lane = lanes.begin(); lanes.end() - lane >= each; lane += each) split.lanes.emplace_back(lane, lane + each);
  const auto replicas = static_cast<int>(split.lanes.size());
  split.samples = static_cast<int>((std::int64_t{experiment.data.batch} + replicas - 1) / replicas);
  split.one.lanes.emplace();
  for (const LaneId lane : split.lanes.front()) split.one.lanes->push_back(lane.value);
  split.one.placement.reset();
  split.one.strategy = isDdp(variant) ? Strategy::Pipeline : Strategy::Single;
  split.one.replicas.reset();
  if (isDdp(variant)) {
    if (!variant.cuts) split.one.cuts.emplace();
    if (!variant.split_size) split.one.split_size = split.samples;
  }
  return split;
}

void checkReplicas(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
                   Problems& problems) {
  refuseKeysOfPipelines(variant, where, problems);
  checkReplicaModes(experiment, variant, where, problems);
  const std::size_t before = problems.found.size();
  checkLanesOfReplicas(variant, static_cast<int>(variantLanes(experiment, variant).size()), where, problems);
  if (problems.found.size() == before) checkSamples(experiment, variant, where, problems);
}

}  // namespace lanelab
