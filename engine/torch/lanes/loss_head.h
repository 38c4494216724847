// SPDX-License-Identifier: GPL-3.0-only
// What follows the model's last stage on a lane: outputs become losses, from which the backward passes begin.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "engine/schedule/schedule.h"
#include "engine/torch/data/replica_rows.h"
#include "engine/torch/devices/device_lane.h"
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

/// The loss of the lane's own rows.
class OwnLoss final : public LossHead {
 public:
  /// `rows` and `device` must live as long.
  OwnLoss(StepLoss loss, const ReplicaRows& rows, DeviceLane& device)
      : LossHead(std::move(loss)), m_rows(rows), m_device(device) {}

  void load(const at::Tensor& targets) override;
  at::Tensor forward(MicroBatchId k, const at::Tensor& output) override;
  at::Tensor forwardAgain(MicroBatchId k, const at::Tensor& output) override;
  at::Tensor gradient() override { return {}; }

 private:
  const ReplicaRows& m_rows;
  DeviceLane& m_device;
  std::vector<at::Tensor> m_targets;  ///< a micro-batch of this step, on the device
};

}  // namespace lanelab
