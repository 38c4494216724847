// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/optimizer.h"

#include <ATen/ops/zeros_like.h>

namespace lanelab {

Optimizer::Optimizer(const TrainingConfig& training, std::vector<at::Tensor> parameters)
    : m_is_adam(training.optimizer == OptimizerKind::Adam),
      m_parameters(std::move(parameters)),
      m_memory(m_parameters.size()),
      m_sgd{0, training.momentum, training.weight_decay, training.nesterov},
      m_adam{0, training.weight_decay, 0} {}

void Optimizer::step(double lr) {
  m_sgd.lr = m_adam.lr = lr;
  ++m_adam.step;
  for (std::size_t i = 0; i < m_parameters.size(); ++i) {
    const at::Tensor &parameter = m_parameters[i], &gradient = parameter.grad();
    Memory& memory = m_memory[i];
    if (!gradient.defined()) continue;
    if (m_is_adam) {
      updateByAdam(parameter, gradient, memory.mean, memory.square, m_adam);
    } else {
      updateBySgd(parameter, gradient, memory.velocity, m_sgd);
    }
  }
}

void Optimizer::reset() {
  m_memory.assign(m_parameters.size(), {});
  m_adam.step = 0;
}

std::vector<std::pair<std::string, at::Tensor>> Optimizer::remembered(std::size_t i) const {
  std::vector<std::pair<std::string, at::Tensor>> all;
  for (const auto& [name, member] : kNames)
    if ((m_memory[i].*member).defined()) all.emplace_back(name, m_memory[i].*member);
  return all;
}

void Optimizer::remember(std::size_t i, const std::string& name, const at::Tensor& value, int steps) {
  m_adam.step = steps;
  // In the parameter's memory layout, as the gradients are that the memory was made from: so the same instructions come
  // to the same bits.
  for (const auto& [known, member] : kNames)
    if (name == known) m_memory[i].*member = at::zeros_like(m_parameters[i].detach()).copy_(value);
}

}  // namespace lanelab
