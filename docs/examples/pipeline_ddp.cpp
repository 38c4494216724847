// SPDX-License-Identifier: GPL-3.0-only
// Both together: two replicas of a ResNet-18, each a pipeline of two stages, on four lanes.
#include "train.h"

int main(int count, char** arguments) {
  using namespace lanelab;
  Experiment experiment;
  experiment.name = "pipeline-ddp";
  experiment.model = {.arch = "resnet18", .classes = 10};
  experiment.data.shape = {3, 32, 32};
  experiment.data.batch = 16;
  experiment.data.steps = 2;
  experiment.training.loss = Loss::CrossEntropy;
  experiment.lanes = {{Device::cpu(0), "replica 0, first"},
                      {Device::cpu(1), "replica 0, last"},
                      {Device::cpu(0), "replica 1, first"},
                      {Device::cpu(1), "replica 1, last"}};

  VariantConfig replicated;
  replicated.name = "Pipeline x DDP";
  replicated.strategy = Strategy::Ddp;
  replicated.schedule = ScheduleKind::OneFOneB;
  replicated.split_size = 4;
  replicated.cuts = {"layer3.0"};
  experiment.variants = {replicated};
  experiment.repeats = 2;
  return train(experiment, count > 1 ? arguments[1] : "pipeline-ddp-run");
}
