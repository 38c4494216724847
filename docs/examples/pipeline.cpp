// SPDX-License-Identifier: GPL-3.0-only
// A ResNet-18 in two stages on two CPU lanes, in micro-batches, beside the same network on one lane.
#include "train.h"

int main(int count, char** arguments) {
  using namespace lanelab;
  Experiment experiment;
  experiment.name = "pipeline";
  experiment.model = {.arch = "resnet18", .classes = 10};
  experiment.data.shape = {3, 32, 32};
  experiment.data.batch = 16;
  experiment.data.steps = 2;
  experiment.training.loss = Loss::CrossEntropy;
  experiment.lanes = {{Device::cpu(0), "first"}, {Device::cpu(1), "last"}};

  VariantConfig single;
  single.name = "Single";
  single.lanes = {0};
  VariantConfig pipeline;
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.schedule = ScheduleKind::OneFOneB;
  pipeline.split_size = 4;
  pipeline.cuts = {"layer3.0"};
  experiment.variants = {single, pipeline};
  experiment.repeats = 2;
  return train(experiment, count > 1 ? arguments[1] : "pipeline-run");
}
