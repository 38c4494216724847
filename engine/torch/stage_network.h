// The consecutive blocks of one stage, with their optimizer, on one lane.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/placement.h"
#include "engine/torch/block_recorder.h"
#include "engine/torch/network_block.h"
#include "engine/torch/optimizer.h"
#include "engine/torch/training_inputs.h"

namespace lanelab {

/// Made and used on its lane's thread.
class StageNetwork {
 public:
  /// Throws std::runtime_error when the model cannot be built.
  StageNetwork(const ModelSpec& spec, const Stage& stage, const TrainingConfig& training, const TensorMap& weights, at::Device device);

  /// Initial weights, no gradients, a fresh optimizer.
  void restart(const TensorMap& weights);
  at::Tensor forward(const at::Tensor& input, BlockRecorder& recorder);
  void update(double learning_rate) { m_optimizer->step(learning_rate); }
  void dropGradients();

  /// Parameters and buffers under torchvision's names.
  std::vector<std::pair<std::string, at::Tensor>> tensors() const;

 private:
  NetworkBlocks m_blocks;
  std::vector<at::Tensor> m_parameters;
  std::unique_ptr<Optimizer> m_optimizer;
};

}  // namespace lanelab
