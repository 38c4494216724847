// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/model_file.h"

#include "base/fingerprint.h"
#include "engine/exported/exported_network.h"

namespace lanelab {

Result<ModelSpec> describeModelFile(const ModelConfig& model) {
  const auto network = openExported(model.file.value_or(""), model.blocks.value_or(ExportedBlockChoice{}));
  if (!network.ok()) return network.error();
  const ModelSpec& described = (*network)->described.model;
  if (described.parameters() > 0 && described.frozenParameters() == described.parameters())
    return Error::badInput(
        "{}: all of its parameters are frozen (requires_grad is False), so there is nothing to train. Export the "
        "network "
        "with parameters that require gradients.",
        *model.file);
  return described;
}

std::string costName(const ModelConfig& config) {
  if (!config.file) return config.arch;
  const Result<ModelSpec> model = describeModelFile(config);
  if (!model.ok()) return config.title();
  std::string costs;
  for (const BlockSpec& block : model->blocks)
    costs += block.name + " " + std::to_string(block.macs) + " " + std::to_string(block.parameters) +
             (block.frozen_parameters > 0 ? " " + std::to_string(block.frozen_parameters) : std::string()) + "\n";
  return config.title() + "-" + hexDigits(fingerprintOf(costs), 8);
}

Shape sampleShape(const Experiment& experiment) {
  if (!experiment.model.file || !experiment.data.shape.empty()) return experiment.data.shape;
  const Result<ModelSpec> model = describeModelFile(experiment.model);
  return model.ok() ? model->input : Shape();
}

void adoptModelFile(Experiment& experiment) {
  if (!experiment.model.file || (experiment.model.classes != 0 && !experiment.data.shape.empty())) return;
  const Result<ModelSpec> model = describeModelFile(experiment.model);
  if (!model.ok()) return;
  if (experiment.model.classes == 0) experiment.model.classes = model->classes;
  if (experiment.data.shape.empty()) experiment.data.shape = model->input;
}

}  // namespace lanelab
