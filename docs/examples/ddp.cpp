// SPDX-License-Identifier: GPL-3.0-only
// DistributedDataParallel with two replicas on two CPU lanes, as torchrun would have them in two processes.
#include "train.h"

int main(int count, char** arguments) {
  using namespace lanelab;
  Experiment experiment;
  experiment.name = "ddp";
  experiment.model = {.arch = "toy", .classes = 5};
  experiment.data.shape = {10};
  experiment.data.batch = 40;
  experiment.data.steps = 20;
  experiment.lanes = {{Device::cpu(0), "replica 0"}, {Device::cpu(1), "replica 1"}};

  VariantConfig ddp;
  ddp.name = "DDP";
  ddp.strategy = Strategy::Ddp;
  experiment.variants = {ddp};
  experiment.repeats = 2;
  return train(experiment, count > 1 ? arguments[1] : "ddp-run");
}
