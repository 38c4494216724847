// SPDX-License-Identifier: GPL-3.0-only
// What computes one stage on one lane, with its optimizer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/training_modes.h"
#include "engine/torch/data/training_inputs.h"
#include "engine/torch/lanes/master_weights.h"
#include "engine/torch/nn/optimizer.h"
#include "engine/torch/nn/stage_module.h"
#include "engine/torch/record/block_recorder.h"

namespace lanelab {

/// The type that a precision's activations and products have.
at::ScalarType computeType(const TrainingModes& modes);
/// What the model gets of its data: floating-point values in the compute type, others, such as ids, as they are.
at::Tensor asModelInput(const at::Tensor& values, const TrainingModes& modes);

/// Made and used on its lane's thread. The model's inputs come in the modes' compute type where they are floating
/// point.
class StageNetwork {
 public:
  StageNetwork(std::unique_ptr<StageModule> module, const TrainingConfig& training, const TrainingModes& modes,
               const TensorMap& weights, at::Device device, Rules rules);

  /// Before each forward in training.
  void seed(std::uint64_t of_micro_batch) { m_module->beginMicroBatch(of_micro_batch); }
  /// Initial weights, no gradients, a fresh optimizer.
  void restart(const TensorMap& weights);
  TensorList forward(const TensorList& inputs, BlockRecorder& recorder);
  TensorList evaluate(const TensorList& inputs);  ///< eval mode
  /// The same values again, for a graph: running statistics of batch norm do not move.
  TensorList forwardAgain(const TensorList& inputs, BlockRecorder& recorder);
  /// Whether a gradient goes back for this input, where it is floating point.
  bool differentiable(std::size_t input) const { return m_module->differentiable(input); }
  /// After a micro-batch's backward, or its weight part.
  void collectGradients() { m_masters.collectGradients(); }
  /// After all micro-batches of a step: deferred batch norms move their statistics, the optimizer the weights.
  void update(double learning_rate);
  /// A step begins: without gradients, and without what an unfinished step left.
  void beginStep();

  /// All that a checkpoint needs: weights/NAME, optimizer/NAME/WHAT.
  NamedTensors state() const;
  /// Goes on after `steps` updates. Throws std::runtime_error where a tensor of this stage is missing or of another
  /// shape.
  void setState(const TensorMap& state, int steps);

  /// Parameters and buffers under torchvision's names; fp32 masters instead of bf16 weights.
  NamedTensors tensors() const;

  /// What the optimizer moves, in PyTorch's order of named_parameters, and its names.
  const std::vector<at::Tensor>& parameters() const { return m_parameters; }
  const std::vector<std::string>& parameterNames() const { return m_parameter_names; }
  std::vector<at::Tensor> buffers() const;

 private:
  std::unique_ptr<StageModule> m_module;
  NormStatistics m_statistics;
  MasterWeights m_masters;
  std::vector<at::Tensor> m_parameters;  ///< that the optimizer moves
  std::vector<std::string> m_parameter_names;
  std::optional<Optimizer> m_optimizer;
};

}  // namespace lanelab
