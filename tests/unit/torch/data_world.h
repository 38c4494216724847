// SPDX-License-Identifier: GPL-3.0-only
// Small data files that tests write themselves.
#pragma once

#include <string>

#include "engine/experiment/experiment.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {

inline Experiment experimentOn(DataSource source, Shape shape, const std::string& path = "") {
  Experiment experiment;
  experiment.model = {"resnet18", 10, std::nullopt};
  experiment.data.source = source;
  experiment.data.path = path;
  experiment.data.shape = std::move(shape);
  experiment.data.batch = 8;
  experiment.training.loss = Loss::CrossEntropy;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  return experiment;
}

/// Takes the data's samples and gives a number for each class.
inline ModelSpec classifierFor(const Experiment& experiment) {
  ModelSpec spec;
  spec.input = experiment.data.shape;
  spec.blocks.resize(1);
  spec.blocks[0].output = {experiment.model.classes};
  return spec;
}

/// One record of CIFAR-10: a class, then planes of one value each.
inline std::string cifarRecord(int id, int red, int green, int blue) {
  std::string record(1, static_cast<char>(id));
  for (const int value : {red, green, blue}) record += std::string(1024, static_cast<char>(value));
  return record;
}

}  // namespace lanelab
