// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/step_loss.h"

namespace lanelab {

void StepLoss::beginRepeat() {
  beginStep();
  m_correct = 0;
}

void StepLoss::beginStep() {
  m_losses.clear();
  m_hits.clear();
}

at::Tensor StepLoss::add(const at::Tensor& output, const at::Tensor& targets, double weight) {
  if (m_counts_correct) m_hits.push_back(countCorrect(output, targets));
  at::Tensor loss = again(output, targets, weight);
  m_losses.push_back(loss.detach());
  return loss;
}

at::Tensor StepLoss::again(const at::Tensor& output, const at::Tensor& targets, double weight) const {
  return weightedLoss(m_kind, output.to(at::kFloat), targets, weight);
}

double StepLoss::endStep() {
  double sum = 0;
  for (const at::Tensor& loss : m_losses) sum += loss.item<double>();
  for (const at::Tensor& hits : m_hits) m_correct += hits.item<std::int64_t>();
  return sum / m_replicas;
}

}  // namespace lanelab
