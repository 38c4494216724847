// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/blank_experiment.h"

#include <algorithm>

namespace lanelab {

Experiment blankExperiment(const std::vector<DeviceInfo>& devices) {
  Experiment experiment;
  experiment.name = "experiment";
  experiment.model.arch = "resnet18";
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = 16;
  experiment.data.steps = 2;
  experiment.repeats = 5;
  for (std::size_t i = 0; i < std::min<std::size_t>(devices.size(), 2); ++i)
    experiment.lanes.push_back({devices[i].device, "", 1});
  while (experiment.lanes.size() < 2)
    experiment.lanes.push_back({Device::cpu(static_cast<int>(experiment.lanes.size())), "", 1});
  VariantConfig single;
  single.name = "Single";
  single.lanes = std::vector<int>{0};
  VariantConfig pipeline;
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.schedule = ScheduleKind::OneFOneB;
  pipeline.split_size = 4;
  pipeline.cuts = std::vector<std::string>{};
  experiment.variants = {single, pipeline};
  return experiment;
}

}  // namespace lanelab
