// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/new_experiments.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

namespace {

struct Templates {
  Q_DECLARE_TR_FUNCTIONS(Templates)
};

/// The machine's first devices; cores that are not there where it has fewer.
std::vector<LaneConfig> firstLanes(const std::vector<DeviceInfo>& devices, std::size_t count) {
  std::vector<LaneConfig> lanes;
  for (std::size_t i = 0; i < std::min(devices.size(), count); ++i) lanes.push_back({devices[i].device, "", 1});
  while (lanes.size() < count) lanes.push_back({Device::cpu(static_cast<int>(lanes.size())), "", 1});
  return lanes;
}

VariantConfig singleVariant() {
  VariantConfig single;
  single.name = "Single";
  single.lanes = std::vector<int>{0};
  return single;
}

Experiment digitsExperiment(const std::vector<DeviceInfo>& devices, std::size_t lanes) {
  Experiment experiment;
  experiment.model.arch = "resnet18";
  setDataSource(experiment, DataSource::Digits);
  experiment.data.batch = 32;
  experiment.data.steps = 4;
  experiment.repeats = 5;
  experiment.lanes = firstLanes(devices, lanes);
  experiment.variants = {singleVariant()};
  return experiment;
}

void addVariant(Experiment& experiment, const std::string& name, Strategy strategy,
                std::optional<ScheduleKind> schedule = {}) {
  const auto resolution = resolve(experiment);
  VariantConfig variant = singleVariant();
  variant.name = name;
  setStrategy(experiment, resolution->model(), strategy, variant);
  if (strategy == Strategy::Pipeline) {
    variant.split_size = experiment.data.batch / 4;
    experiment.training.step_barrier = false;
  }
  if (schedule) setSchedule(experiment, resolution->model(), *schedule, variant);
  experiment.variants.push_back(std::move(variant));
}

Experiment onTwoLanes(const std::vector<DeviceInfo>& devices, const std::string& file, const std::string& name,
                      Strategy strategy, std::optional<ScheduleKind> schedule = {}) {
  Experiment experiment = digitsExperiment(devices, 2);
  experiment.name = file;
  addVariant(experiment, name, strategy, schedule);
  return experiment;
}

Experiment singleExperiment(const std::vector<DeviceInfo>& devices) {
  Experiment experiment = digitsExperiment(devices, 1);
  experiment.name = "single";
  return experiment;
}

Experiment allStrategies(const std::vector<DeviceInfo>& devices) {
  Experiment experiment = digitsExperiment(devices, 2);
  experiment.name = "strategies";
  addVariant(experiment, "Model parallel", Strategy::ModelParallel);
  addVariant(experiment, "GPipe", Strategy::Pipeline, ScheduleKind::Gpipe);
  addVariant(experiment, "1F1B", Strategy::Pipeline, ScheduleKind::OneFOneB);
  addVariant(experiment, "DataParallel", Strategy::DataParallel);
  addVariant(experiment, "DDP", Strategy::Ddp);
  return experiment;
}

}  // namespace

Experiment blankExperiment(const std::vector<DeviceInfo>& devices) {
  Experiment experiment;
  experiment.name = kUnnamedExperiment;
  experiment.model.arch = "resnet18";
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = 16;
  experiment.data.steps = 2;
  experiment.repeats = 5;
  experiment.lanes = firstLanes(devices, 2);
  VariantConfig pipeline;
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.schedule = ScheduleKind::OneFOneB;
  pipeline.split_size = 4;
  pipeline.cuts = std::vector<std::string>{};
  experiment.variants = {singleVariant(), pipeline};
  return experiment;
}

std::vector<ExperimentTemplate> experimentTemplates(const std::vector<DeviceInfo>& devices) {
  const auto onTwo = [&](const char* file, const char* name, Strategy strategy,
                         std::optional<ScheduleKind> schedule = {}) {
    return [=] { return onTwoLanes(devices, file, name, strategy, schedule); };
  };
  return {{Templates::tr("Single Device"), Templates::tr("ResNet-18 on digits, on one lane"),
           [devices] { return singleExperiment(devices); }},
          {Templates::tr("Model Parallel on 2 Lanes"),
           Templates::tr("ResNet-18 on digits, cut over two lanes that compute in turn"),
           onTwo("model-parallel", "Model parallel", Strategy::ModelParallel)},
          {Templates::tr("Pipeline on 2 Lanes"),
           Templates::tr("ResNet-18 on digits, cut over two lanes that compute at once (1F1B, four micro-batches)"),
           onTwo("pipeline", "Pipeline", Strategy::Pipeline, ScheduleKind::OneFOneB)},
          {Templates::tr("Replicas on 2 Lanes (DDP)"),
           Templates::tr("ResNet-18 on digits, a copy on each of two lanes, with averaged gradients"),
           onTwo("replicas", "DDP", Strategy::Ddp)},
          {Templates::tr("All Strategies"),
           Templates::tr("ResNet-18 on digits: single device, model parallel, GPipe, 1F1B, DataParallel and DDP"),
           [devices] { return allStrategies(devices); }}};
}

}  // namespace lanelab
