// SPDX-License-Identifier: GPL-3.0-only
#include "engine/levels/level_run.h"

#include "engine/experiment/edits/balanced_cuts.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/experiment/resolution.h"
#include "engine/experiment/variant_placement.h"
#include "engine/schedule/generate.h"

namespace lanelab {
namespace {

constexpr int kSamples = 4;  ///< of a micro-batch

std::vector<Device> gpusOf(const std::vector<DeviceInfo>& devices) {
  std::vector<Device> gpus;
  for (const DeviceInfo& info : devices)
    if (!info.device.isCpu()) gpus.push_back(info.device);
  return gpus;
}

bool hasGpuForEach(const Level& level, const std::vector<DeviceInfo>& devices) {
  return gpusOf(devices).size() >= static_cast<std::size_t>(level.lanes);
}

std::vector<LaneConfig> lanesFor(const Level& level, const std::vector<DeviceInfo>& devices) {
  const std::vector<Device> gpus = gpusOf(devices);
  const bool on_gpus = hasGpuForEach(level, devices);
  std::vector<LaneConfig> lanes(static_cast<std::size_t>(level.lanes));
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    lanes[lane].device = on_gpus ? gpus[lane] : Device::cpu(static_cast<int>(lane));
  return lanes;
}

Experiment smallExperiment(const Level& level, const std::vector<DeviceInfo>& devices) {
  Experiment experiment;
  experiment.name = std::string("build-") + level.key;
  experiment.model.arch = "resnet18";
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = kSamples * level.micro_batches;
  experiment.data.steps = 2;
  experiment.repeats = 5;
  experiment.lanes = lanesFor(level, devices);
  return experiment;
}

/// With the level's stages on its lanes.
VariantConfig pipelineOf(const Level& level, const ModelSpec& model) {
  VariantConfig variant;
  variant.name = kOwnOrder;
  variant.strategy = Strategy::Pipeline;
  variant.schedule = level.target;
  variant.split_size = kSamples;
  variant.cuts = balancedCuts(model, 0, model.blocks.size(), static_cast<std::size_t>(level.stages()));
  return variant;
}

/// The same stages on the same lanes by a known schedule. One that places stages otherwise by itself is given their
/// blocks.
VariantConfig besideOf(const Experiment& experiment, const ModelSpec& model, const VariantConfig& own,
                       const KnownOrder& known) {
  VariantConfig variant = own;
  variant.name = std::string(known.title);
  changeSchedule(variant, known.kind);
  variant.warm_up = known.warm_up;
  if (goesRoundTheLanes(own.schedule) && !goesRoundTheLanes(known.kind))
    writePlacement(experiment, model, readPlacement(experiment, model, own), variant);
  return variant;
}

}  // namespace

Experiment levelRun(const LevelBoard& board, const std::vector<KnownOrder>& known,
                    const std::vector<DeviceInfo>& devices) {
  Experiment experiment = smallExperiment(board.level(), devices);
  const ModelSpec model = resolve(experiment)->model();
  VariantConfig own = pipelineOf(board.level(), model);
  VariantConfig beside = besideOf(experiment, model, own, comparedWith(board, known));
  setActions(board.schedule(), own);
  experiment.variants = {std::move(beside), std::move(own)};
  return experiment;
}

Message lanesOfRun(const Level& level, const std::vector<DeviceInfo>& devices) {
  if (hasGpuForEach(level, devices)) return sentence("Its {} lanes are GPUs.", level.lanes);
  return sentence("Its {} lanes are CPU cores, since this machine has fewer GPUs than that.", level.lanes);
}

}  // namespace lanelab
