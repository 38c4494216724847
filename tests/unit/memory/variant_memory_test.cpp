// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/variant_memory.h"

#include <gtest/gtest.h>

#include "tests/support/resolved.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

/// ResNet-18 on two CPU lanes and a GPU lane: alone on lane 0, and as a pipeline over the first two.
Experiment resnetExperiment() {
  Experiment experiment = test::smallExperiment();
  experiment.model.arch = "resnet18";
  experiment.data.shape = {3, 32, 32};
  experiment.lanes.push_back({Device::cuda(0), "", 1});
  VariantConfig pipeline = experiment.variants[0];
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.lanes.reset();
  pipeline.split_size = 2;
  pipeline.cuts = std::vector<std::string>{"layer3.0"};
  experiment.variants.push_back(pipeline);
  return experiment;
}

struct Optimizer {
  const char* what;
  TrainingConfig training;
  int kept, temporaries, fused_temporaries;
};

TEST(VariantMemory, CountsTheOptimizersTensors) {
  TrainingConfig sgd, momentum, nesterov, adam, decayed;
  momentum.momentum = 0.9;
  nesterov.momentum = 0.9;
  nesterov.nesterov = true;
  nesterov.weight_decay = 1e-4;
  adam.optimizer = OptimizerKind::Adam;
  decayed = adam;
  decayed.weight_decay = 0.01;
  const Optimizer table[] = {{"sgd", sgd, 0, 0, 0},
                             {"momentum", momentum, 1, 0, 0},
                             {"nesterov", nesterov, 1, 2, 0},
                             {"adam", adam, 2, 1, 1},
                             {"decayed", decayed, 2, 2, 1}};
  for (const Optimizer& row : table) {
    Experiment experiment = resnetExperiment();
    experiment.training = row.training;
    const TrainingMemory memory = [&] {
      const auto resolution = test::resolved(experiment);
      return trainingMemory(experiment, resolution->model(), resolution->variants().front().modes());
    }();
    EXPECT_EQ(memory.optimizer_tensors, row.kept) << row.what;
    EXPECT_EQ(memory.update_temporaries, row.temporaries) << row.what;
    EXPECT_EQ(memory.fused_update_temporaries, row.fused_temporaries) << row.what;
  }
}

TEST(VariantMemory, AllCpuLanesShareOneMemory) {
  EXPECT_EQ(memoryOfDevice(Device::cpu(7)), "system memory");
  EXPECT_EQ(memoryOfDevice(Device::cuda(1)), "cuda:1");
}

TEST(VariantMemory, AddsUpTheLanesOfOneMemory) {
  const Experiment experiment = resnetExperiment();
  const std::vector<LaneForecast> forecasts = forecastMemory(test::resolved(experiment)->variants()[1]);
  ASSERT_EQ(forecasts.size(), 3u);
  const std::vector<MemoryUse> uses =
      memoryUse(experiment, forecasts, {{Device::cpu(0), "a core", 1000}, {Device::cuda(0), "a GPU", 0}});
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses[0].needed, forecasts[0].at_peak.total() + forecasts[1].at_peak.total());
  EXPECT_EQ(uses[0].there, 1000);
  EXPECT_FALSE(uses[0].fits());
  EXPECT_EQ(uses[1].needed, 0);
  EXPECT_TRUE(uses[1].fits());
}

}  // namespace
}  // namespace lanelab
