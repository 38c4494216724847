// SPDX-License-Identifier: GPL-3.0-only
// SGD and Adam with PyTorch's semantics and rounding, over the parameters of one stage.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/torch/kernels/parameter_update.h"

namespace lanelab {

/// sgd (torch.optim.SGD: dampening 0) or adam (torch.optim.Adam: betas 0.9 and 0.999, eps 1e-8), as the experiment
/// says.
///
/// Threads: the lane's thread. Parameters without a gradient are left alone. A step takes its learning rate, since that
/// may change (learning_rate.h).
class Optimizer {
 public:
  Optimizer(const TrainingConfig& training, std::vector<at::Tensor> parameters);

  void step(double lr);
  /// Forgets momentum and step count.
  void reset();

  /// For a checkpoint: what it remembers of the i-th parameter, by name; nothing before the first step.
  std::vector<std::pair<std::string, at::Tensor>> remembered(std::size_t i) const;
  /// Takes a copy of one of these back. `steps` updates were made until then.
  void remember(std::size_t i, const std::string& name, const at::Tensor& value, int steps);

 private:
  /// Of one parameter: SGD's velocity, or Adam's moments.
  struct Memory {
    at::Tensor velocity, mean, square;
  };
  static constexpr std::pair<const char*, at::Tensor Memory::*> kNames[] = {
      {"velocity", &Memory::velocity}, {"mean", &Memory::mean}, {"square", &Memory::square}};

  const bool m_is_adam;
  std::vector<at::Tensor> m_parameters;
  std::vector<Memory> m_memory;
  SgdRule m_sgd;
  AdamRule m_adam;
};

}  // namespace lanelab
