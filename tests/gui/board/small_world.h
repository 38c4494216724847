// SPDX-License-Identifier: GPL-3.0-only
// A small experiment for the board's tests: ResNet-18 on two lanes, a single and a pipeline variant.
#pragma once

#include "ui/experiment/experiment_document.h"

namespace lanelab {

inline Experiment smallExperiment() {
  Experiment experiment;
  experiment.name = "small";
  experiment.model.arch = "resnet18";
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = 16;
  experiment.lanes.resize(2);
  experiment.lanes[1].device = Device::cpu(1);
  VariantConfig single;
  single.name = "Single";
  single.lanes = std::vector<int>{0};
  VariantConfig pipeline;
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.split_size = 4;
  pipeline.cuts = std::vector<std::string>{"layer3.0"};
  experiment.variants = {single, pipeline};
  return experiment;
}

/// The document with the pipeline variant active.
struct SmallWorld {
  SmallWorld() {
    document.reset(smallExperiment(), {});
    document.setActiveVariant(1);
  }
  int laneOf(const char* block) const {
    return document.activePlacement().lane_of_block[document.model().find(block)->index()].value;
  }
  const VariantConfig& variant() const {
    return document.experiment().variants[static_cast<std::size_t>(document.activeVariant())];
  }
  ExperimentDocument document;
};

}  // namespace lanelab
