// SPDX-License-Identifier: GPL-3.0-only
// What follows the model's last stage on a lane: outputs become losses, from which the backward passes begin.
#pragma once

#include <ATen/core/Tensor.h>

#include "engine/schedule/schedule.h"
#include "engine/torch/lanes/step_loss.h"

namespace lanelab {

/// The lane's thread only. Micro-batches are counted within the lane's replica.
class LossHead {
 public:
  explicit LossHead(StepLoss loss) : m_loss(std::move(loss)) {}
  virtual ~LossHead() = default;

  /// The targets of a step's whole batch, before its first forward.
  virtual void load(const at::Tensor& targets) = 0;
  /// After a forward, whose output is undefined where the replica had no rows: what its backward begins from.
  virtual at::Tensor forward(MicroBatchId k, const at::Tensor& output) = 0;
  /// The same of an output that was computed again.
  virtual at::Tensor forwardAgain(MicroBatchId k, const at::Tensor& output) = 0;
  /// The gradient for that beginning; undefined for a scalar, which needs none. May wait for other replicas.
  virtual at::Tensor gradient() = 0;

  StepLoss& loss() { return m_loss; }

 private:
  StepLoss m_loss;
};

}  // namespace lanelab
