// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/model_file.h"

#include "engine/networks/built_network.h"

namespace lanelab {

bool isModelOf(const ModelConfig& model, const std::shared_ptr<const OpenedModel>& opened) {
  if (!model.file || !opened) return !model.file && !opened;
  return opened->blocks == model.blocks.value_or(ExportedBlockChoice{}) && opened->file == fileStateOf(*model.file);
}

std::shared_ptr<const OpenedModel> openModel(const ModelConfig& model,
                                             const std::shared_ptr<const OpenedModel>& known) {
  if (!model.file || isModelOf(model, known)) return model.file ? known : nullptr;
  const ExportedBlockChoice blocks = model.blocks.value_or(ExportedBlockChoice{});
  FileState before = fileStateOf(*model.file);
  auto network = openExported(*model.file, blocks);
  FileState file = network.ok() ? (*network)->file : std::move(before);
  return std::make_shared<const OpenedModel>(OpenedModel{std::move(file), blocks, std::move(network)});
}

std::shared_ptr<const OpenedModel> openModelFile(const std::string& path) {
  return openModel({.arch = {}, .classes = 0, .file = path});
}

OpenedNetwork networkOf(const Experiment& experiment, const OpenedModel* opened,
                        const std::shared_ptr<const ExportedNetwork>& known) {
  if (opened) return opened->network;
  const ModelConfig& model = experiment.model;
  const auto is_same = [&](const ModelSpec& built) {
    return !built.imported && built.arch == model.arch && built.classes == model.classes &&
           built.input == experiment.data.shape;
  };
  if (known && is_same(known->described.model)) return known;
  return builtNetwork(model.arch, model.classes, experiment.data.shape);
}

Result<ModelSpec> describeTrained(const OpenedNetwork& network) {
  if (!network.ok()) return network.error();
  const ModelSpec& described = (*network)->described.model;
  if (described.parameters() > 0 && described.frozenParameters() == described.parameters())
    return Error::badInput(
        "{}: all of its parameters are frozen (requires_grad is False), so there is nothing to train. Export the "
        "network with parameters that require gradients.",
        (*network)->path);
  return described;
}

void adoptModel(Experiment& experiment, const OpenedModel& opened) {
  if (experiment.model.classes != 0 && !experiment.data.shape.empty()) return;
  const Result<ModelSpec> model = describeTrained(opened.network);
  if (!model.ok()) return;
  if (experiment.model.classes == 0) experiment.model.classes = model->classes;
  if (experiment.data.shape.empty()) experiment.data.shape = model->input;
}

}  // namespace lanelab
