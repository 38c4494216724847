// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/exported_inputs.h"

#include <utility>

#include "engine/exported/weight_ties.h"
#include "engine/torch/graph/graph_stage.h"

namespace lanelab {

Result<ExportedInputs> loadExported(std::shared_ptr<const ExportedNetwork> network, std::uint64_t seed, GraphUse use) {
  Result<StoredWeights> own = mapExportedWeights(network->path, network->program, seed);
  // After the file was opened: what is mapped now is of the network.
  if (const Status same = checkUnchanged(*network); !same.ok()) return same.error();
  if (!own.ok()) return own.error();
  ExportedInputs inputs{std::move(network), std::move(*own), {}, {}};
  TensorMap constants;
  const ExportedProgram& program = inputs.network->program;
  const std::map<ValueId, std::string> names = heldNames(program);
  for (const ExportedInput& input : program.graph.inputs) {
    if (input.kind == ExportedInput::Kind::User || names.at(input.value) != input.name) continue;
    (input.kind == ExportedInput::Kind::Constant ? constants : inputs.weights)[input.name] =
        inputs.own.tensors.at(input.name);
  }
  inputs.modules = graphStages(inputs.network, std::move(constants), use);
  return inputs;
}

}  // namespace lanelab
