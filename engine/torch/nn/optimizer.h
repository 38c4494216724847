// SPDX-License-Identifier: GPL-3.0-only
// SGD and Adam with PyTorch's semantics and rounding, over the parameters of one stage.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/experiment/experiment.h"

namespace lanelab {

/// Threads: the lane's thread. Parameters without a gradient are left alone. A step takes its learning rate, since that
/// may change (learning_rate.h).
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual void step(double lr) = 0;
  /// Forgets momentum and step count.
  virtual void reset() = 0;

  /// For a checkpoint: what it remembers of the i-th parameter, by name; nothing before the first step.
  virtual std::vector<std::pair<std::string, at::Tensor>> remembered(std::size_t i) const = 0;
  /// Takes a copy of one of these back. `steps` updates were made until then.
  virtual void remember(std::size_t i, const std::string& name, const at::Tensor& value, int steps) = 0;
};

/// sgd (torch.optim.SGD: dampening 0) or adam (torch.optim.Adam: betas 0.9 and 0.999, eps 1e-8), as the experiment
/// says.
std::unique_ptr<Optimizer> makeOptimizer(const TrainingConfig& training, std::vector<at::Tensor> parameters);

}  // namespace lanelab
