// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/training_inputs.h"

#include "base/stop_point.h"
#include "engine/torch/data/exported_inputs.h"
#include "engine/torch/devices/thread_team.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/files/tensor_file.h"

namespace lanelab {

namespace {

Result<TensorMap> weightsOfExported(const std::string& file, const StageModule& whole, const ExportedInputs& exported) {
  Result<TensorMap> weights = readWeights(file);
  if (!weights.ok()) return Error::badInput("model.weights: {}", weights.error());
  const std::string place = "model.weights: " + file;
  Result<TensorMap> held =
      heldWeights(exported.network->program, whole.slots(), std::move(*weights), exported.own.tensors, place);
  if (!held.ok()) return held.error();
  Result<TensorMap> matched = matchWeights(whole.slots(), std::move(*held), place);
  if (!matched.ok()) return matched.error();
  for (const TensorSlot& slot : whole.slots()) {
    at::Tensor& tensor = matched->at(slot.name);
    tensor = tensor.to(slot.traits.type).contiguous();
  }
  return matched;
}

}  // namespace

Result<InitialNetwork> initialNetwork(const std::shared_ptr<const ExportedNetwork>& network, const ModelConfig& model,
                                      std::uint64_t seed) {
  Result<ExportedInputs> exported = loadExported(network, seed);
  if (!exported.ok()) return Error::badInput("model.file: {}", exported.error());
  const auto whole = exported->modules(BlockId{0}, BlockId{network->blocks.blocks.size()});
  if (!whole.ok()) return Error::badInput("model.file: {}", whole.error());
  if (model.weights) {
    Result<TensorMap> weights = weightsOfExported(*model.weights, **whole, *exported);
    if (!weights.ok()) return weights.error();
    exported->weights = std::move(*weights);
  }
  return InitialNetwork{std::move(exported->weights), std::move(exported->modules),
                        [network, own = std::move(exported->own)](const TensorMap& held) {
                          return withAllNames(network->program, held, own.tensors);
                        }};
}

Result<std::shared_ptr<const TrainingInputs>> loadTrainingInputs(const Experiment& experiment,
                                                                 const std::shared_ptr<const ExportedNetwork>& network,
                                                                 std::optional<InitialNetwork> known) {
  const ThreadTeamScope team;
  try {
    Result<InitialNetwork> initial = known ? Result<InitialNetwork>(std::move(*known))
                                           : initialNetwork(network, experiment.model, experiment.training.seed);
    if (!initial.ok()) return initial.error();
    Result<Dataset> data = Dataset::load(experiment, network->described.model);
    if (!data.ok()) return data.error();
    return std::make_shared<const TrainingInputs>(TrainingInputs{std::move(*initial), std::move(*data)});
  } catch (const Stopped&) {
    return Error::cancelled();
  } catch (const std::exception& error) {
    return Error::failed("The data and the initial model could not be made: {}.", plainMessage(error));
  }
}

}  // namespace lanelab
