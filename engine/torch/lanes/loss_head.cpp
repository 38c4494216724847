// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/loss_head.h"

namespace lanelab {

void OwnLoss::load(const at::Tensor& targets) {
  m_targets.clear();
  for (const at::Tensor& rows : m_rows.microBatches(targets)) m_targets.push_back(m_device.fromHost(rows));
}

at::Tensor OwnLoss::forward(MicroBatchId k, const at::Tensor& output) {
  return loss().add(output, m_targets[k.index()], m_rows.split().weight(k));
}

at::Tensor OwnLoss::forwardAgain(MicroBatchId k, const at::Tensor& output) {
  return loss().again(output, m_targets[k.index()], m_rows.split().weight(k));
}

}  // namespace lanelab
