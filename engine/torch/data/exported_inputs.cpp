// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/exported_inputs.h"

#include <utility>

#include "engine/exported/weight_ties.h"
#include "engine/torch/graph/graph_stage.h"

namespace lanelab {

Result<ExportedInputs> loadExported(const ModelConfig& model, std::uint64_t seed, GraphUse use) {
  const auto network = openExported(model.file.value_or(""), model.blocks.value_or(ExportedBlockChoice{}));
  if (!network.ok()) return network.error();
  Result<MappedWeights> own = mapExportedWeights((*network)->path, (*network)->program, seed);
  if (!own.ok()) return own.error();
  ExportedInputs inputs{*network, std::move(*own), {}, {}};
  TensorMap constants;
  const std::map<ValueId, std::string> names = heldNames((*network)->program);
  for (const ExportedInput& input : (*network)->program.graph.inputs) {
    if (input.kind == ExportedInput::Kind::User || names.at(input.value) != input.name) continue;
    (input.kind == ExportedInput::Kind::Constant ? constants : inputs.weights)[input.name] =
        inputs.own.tensors.at(input.name);
  }
  inputs.modules = graphStages(*network, std::move(constants), use);
  return inputs;
}

}  // namespace lanelab
