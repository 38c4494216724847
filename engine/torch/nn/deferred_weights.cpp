// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/deferred_weights.h"

#include <torch/csrc/autograd/functions/accumulate_grad.h>

#include <utility>

namespace lanelab {

namespace {

// Backward passes run on the thread that asks for them: always on CPU lanes, and on CUDA lanes because they turn
// autograd's own threads off.
thread_local DeferredWeights* current_store = nullptr;

}  // namespace

DeferredWeights* DeferredWeights::current() { return current_store; }

void DeferredWeights::run(const std::function<void(std::uint32_t)>& begins) {
  const at::NoGradGuard no_grad;
  std::optional<std::uint32_t> label;
  for (Task& task : m_tasks) {
    if (task.label && task.label != label) begins(*task.label);
    label = task.label;
    std::exchange(task.run, {})();
  }
  m_tasks.clear();
}

InputPartOnly::InputPartOnly(DeferredWeights& store) { current_store = &store; }

InputPartOnly::~InputPartOnly() { current_store = nullptr; }

void accumulateGradient(const at::Tensor& weight, const at::Tensor& gradient) {
  at::Tensor& sum = weight.mutable_grad();
  torch::autograd::AccumulateGrad::accumulateGrad(weight, sum, gradient, /*num_expected_refs=*/1,
                                                  [&](at::Tensor&& first) { sum = std::move(first); });
}

}  // namespace lanelab
