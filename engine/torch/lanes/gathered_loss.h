// SPDX-License-Identifier: GPL-3.0-only
// The loss of data parallelism: taken on the first replica, of all replicas' outputs together.
#pragma once

#include "engine/torch/lanes/data_parallel_replica.h"
#include "engine/torch/lanes/loss_head.h"

namespace lanelab {

class GatheredLoss final : public LossHead {
 public:
  /// `replica` and `device` must live as long.
  GatheredLoss(StepLoss loss, DataParallelReplica& replica, DeviceLane& device)
      : LossHead(std::move(loss)), m_replica(replica), m_device(device) {}

  void load(const at::Tensor& targets) override;
  at::Tensor forward(MicroBatchId k, const at::Tensor& output) override;
  at::Tensor forwardAgain(MicroBatchId k, const at::Tensor& output) override;
  at::Tensor gradient() override;

 private:
  DataParallelReplica& m_replica;
  DeviceLane& m_device;
  at::Tensor m_targets;  ///< of the whole batch, on the device; only on the first replica
};

}  // namespace lanelab
