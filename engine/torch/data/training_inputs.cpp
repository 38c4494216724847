// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/training_inputs.h"

#include "base/stop_point.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/files/tensor_file.h"

namespace lanelab {

Result<TensorMap> initialWeights(const ModelSpec& spec, const ModelConfig& model, std::uint64_t seed) {
  const Result<NetworkBlocks> blocks = makeBlocks(spec);
  if (!blocks.ok()) return blocks.error();
  if (!model.weights) return drawInitialWeights(*blocks, seed);
  Result<TensorMap> weights = readWeights(*model.weights);
  if (!weights.ok()) return Error::badInput("model.weights: {}", weights.error());
  return matchWeights(slotsOf(*blocks), std::move(*weights), "model.weights: " + *model.weights);
}

Result<std::shared_ptr<const TrainingInputs>> loadTrainingInputs(const Experiment& experiment, const ModelSpec& spec) {
  try {
    Result<TensorMap> weights = initialWeights(spec, experiment.model, experiment.training.seed);
    if (!weights.ok()) return weights.error();
    Result<Dataset> data = Dataset::load(experiment, spec);
    if (!data.ok()) return data.error();
    return std::make_shared<const TrainingInputs>(TrainingInputs{std::move(*data), std::move(*weights)});
  } catch (const Stopped&) {
    return Error::cancelled();
  } catch (const std::exception& error) {
    return Error::failed("The data and the initial model could not be made: {}.", plainMessage(error));
  }
}

}  // namespace lanelab
