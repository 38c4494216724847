// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/master_weights.h"

#include <ATen/core/grad_mode.h>

namespace lanelab {

at::Tensor MasterWeights::add(const TensorSlot& slot) {
  if (!at::isReducedFloatingType(slot.tensor->scalar_type())) return *slot.tensor;
  m_pairs.push_back({slot.name, *slot.tensor, slot.tensor->detach().to(at::kFloat)});
  return m_pairs.back().master;
}

void MasterWeights::restore(const TensorMap& weights) {
  const at::NoGradGuard no_grad;
  for (Pair& pair : m_pairs) {
    pair.master.copy_(weights.at(pair.name));
    pair.master.mutable_grad().reset();
  }
  round();
  dropGradients();
}

void MasterWeights::collectGradients() {
  const at::NoGradGuard no_grad;
  for (Pair& pair : m_pairs) {
    at::Tensor& fresh = pair.weight.mutable_grad();
    if (!fresh.defined()) continue;
    at::Tensor& sum = pair.master.mutable_grad();
    if (sum.defined()) {
      sum.add_(fresh);
    } else {
      sum = fresh.to(at::kFloat);
    }
    fresh.reset();
  }
}

void MasterWeights::round() {
  const at::NoGradGuard no_grad;
  for (Pair& pair : m_pairs) pair.weight.copy_(pair.master);
}

void MasterWeights::dropGradients() {
  for (Pair& pair : m_pairs) pair.weight.mutable_grad().reset();
}

at::Tensor MasterWeights::masterOf(const TensorSlot& slot) const {
  for (const Pair& pair : m_pairs) {
    if (pair.weight.is_same(*slot.tensor)) return pair.master;
  }
  return *slot.tensor;
}

}  // namespace lanelab
