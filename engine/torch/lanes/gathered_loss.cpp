// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/gathered_loss.h"

namespace lanelab {

void GatheredLoss::load(const at::Tensor& targets) {
  if (m_replica.first()) m_targets = m_device.fromHost(targets);
}

at::Tensor GatheredLoss::forward(MicroBatchId, const at::Tensor& output) {
  m_replica.offerOutput(output);
  return output;
}

at::Tensor GatheredLoss::forwardAgain(MicroBatchId, const at::Tensor& output) { return output; }

at::Tensor GatheredLoss::gradient() {
  if (m_replica.first()) {
    const at::Tensor outputs = m_replica.gatherOutputs();
    loss().add(outputs, m_targets, 1).backward();
    m_replica.scatterGradient(outputs.grad());
  }
  return m_replica.outputGradient();
}

}  // namespace lanelab
