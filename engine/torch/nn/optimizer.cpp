// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/optimizer.h"

#include <ATen/ops/zeros_like.h>

#include "engine/torch/kernels/parameter_update.h"

namespace lanelab {

namespace {

/// In the parameter's memory layout, as the gradients are that the memory was made from: so the same instructions come
/// to the same bits.
at::Tensor copyLike(const at::Tensor& parameter, const at::Tensor& value) {
  return at::zeros_like(parameter.detach()).copy_(value);
}

/// torch.optim.SGD.
class Sgd : public Optimizer {
 public:
  Sgd(const TrainingConfig& t, std::vector<at::Tensor> parameters)
      : m_parameters(std::move(parameters)),
        m_velocity(m_parameters.size()),
        m_rule{0, t.momentum, t.weight_decay, t.nesterov} {}

  void reset() override { m_velocity.assign(m_parameters.size(), {}); }

  std::vector<std::pair<std::string, at::Tensor>> remembered(std::size_t i) const override {
    if (!m_velocity[i].defined()) return {};
    return {{"velocity", m_velocity[i]}};
  }
  void remember(std::size_t i, const std::string& name, const at::Tensor& value, int) override {
    if (name == "velocity") m_velocity[i] = copyLike(m_parameters[i], value);
  }

  void step(double lr) override {
    m_rule.lr = lr;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
      const at::Tensor& gradient = m_parameters[i].grad();
      if (gradient.defined()) updateBySgd(m_parameters[i], gradient, m_velocity[i], m_rule);
    }
  }

 private:
  std::vector<at::Tensor> m_parameters;
  std::vector<at::Tensor> m_velocity;
  SgdRule m_rule;
};

/// torch.optim.Adam.
class Adam : public Optimizer {
 public:
  Adam(const TrainingConfig& t, std::vector<at::Tensor> parameters)
      : m_parameters(std::move(parameters)), m_moments(m_parameters.size()) {
    m_rule.weight_decay = t.weight_decay;
    m_rule.step = 0;
  }

  void reset() override {
    m_moments.assign(m_parameters.size(), {});
    m_rule.step = 0;
  }

  std::vector<std::pair<std::string, at::Tensor>> remembered(std::size_t i) const override {
    if (!m_moments[i].mean.defined()) return {};
    return {{"mean", m_moments[i].mean}, {"square", m_moments[i].square}};
  }
  void remember(std::size_t i, const std::string& name, const at::Tensor& value, int steps) override {
    if (name == "mean") m_moments[i].mean = copyLike(m_parameters[i], value);
    if (name == "square") m_moments[i].square = copyLike(m_parameters[i], value);
    m_rule.step = steps;
  }

  void step(double lr) override {
    m_rule.lr = lr;
    ++m_rule.step;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
      const at::Tensor& gradient = m_parameters[i].grad();
      if (gradient.defined()) updateByAdam(m_parameters[i], gradient, m_moments[i].mean, m_moments[i].square, m_rule);
    }
  }

 private:
  struct Moments {
    at::Tensor mean, square;
  };

  std::vector<at::Tensor> m_parameters;
  std::vector<Moments> m_moments;
  AdamRule m_rule;
};

}  // namespace

std::unique_ptr<Optimizer> makeOptimizer(const TrainingConfig& training, std::vector<at::Tensor> parameters) {
  if (training.optimizer == OptimizerKind::Adam) {
    return std::make_unique<Adam>(training, std::move(parameters));
  }
  return std::make_unique<Sgd>(training, std::move(parameters));
}

}  // namespace lanelab
