// SPDX-License-Identifier: GPL-3.0-only
// What the tests of GPU lanes train.
#pragma once

#include "engine/experiment/experiment.h"

namespace lanelab {

/// Some steps of ResNet-18 on the given lanes, one variant "v" of the strategy.
inline Experiment resnetOn(const std::vector<std::string>& devices, Strategy strategy, int steps) {
  Experiment experiment;
  experiment.model = {"resnet18", 10, std::nullopt};
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = 8;
  experiment.data.steps = steps;
  for (const std::string& device : devices) experiment.lanes.push_back({*parseDevice(device), "", 1});
  VariantConfig variant;
  variant.name = "v";
  variant.strategy = strategy;
  experiment.variants = {variant};
  return experiment;
}

}  // namespace lanelab
