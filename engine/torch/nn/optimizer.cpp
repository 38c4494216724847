// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

namespace lanelab {

namespace {

/// In the parameter's memory layout, as the gradients are that the memory was made from: so the same instructions come
/// to the same bits.
at::Tensor copyLike(const at::Tensor& parameter, const at::Tensor& value) {
  return at::zeros_like(parameter.detach()).copy_(value);
}

/// torch.optim.SGD, one tensor at a time: on a CPU the foreach and fused forms do the same loop.
class Sgd : public Optimizer {
 public:
  Sgd(const TrainingConfig& t, std::vector<at::Tensor> parameters)
      : m_parameters(std::move(parameters)),
        m_velocity(m_parameters.size()),
        m_momentum(t.momentum),
        m_weight_decay(t.weight_decay),
        m_nesterov(t.nesterov) {}

  void reset() override { m_velocity.assign(m_parameters.size(), {}); }

  std::vector<std::pair<std::string, at::Tensor>> remembered(std::size_t i) const override {
    if (!m_velocity[i].defined()) return {};
    return {{"velocity", m_velocity[i]}};
  }
  void remember(std::size_t i, const std::string& name, const at::Tensor& value, int) override {
    if (name == "velocity") m_velocity[i] = copyLike(m_parameters[i], value);
  }

  void step(double lr) override {
    const at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
      at::Tensor gradient = m_parameters[i].grad();
      if (!gradient.defined()) continue;
      if (m_weight_decay != 0) gradient = gradient.add(m_parameters[i], m_weight_decay);
      if (m_momentum != 0) gradient = withMomentum(m_velocity[i], gradient);
      m_parameters[i].add_(gradient, -lr);
    }
  }

 private:
  at::Tensor withMomentum(at::Tensor& velocity, const at::Tensor& gradient) const {
    if (velocity.defined()) {
      velocity.mul_(m_momentum).add_(gradient);
    } else {
      velocity = gradient.clone();
    }
    return m_nesterov ? gradient.add(velocity, m_momentum) : velocity;
  }

  std::vector<at::Tensor> m_parameters;
  std::vector<at::Tensor> m_velocity;
  double m_momentum, m_weight_decay;
  bool m_nesterov;
};

/// torch.optim.Adam's single-tensor form (torch/optim/adam.py).
class Adam : public Optimizer {
 public:
  Adam(const TrainingConfig& t, std::vector<at::Tensor> parameters)
      : m_parameters(std::move(parameters)), m_moments(m_parameters.size()), m_weight_decay(t.weight_decay) {}

  void reset() override {
    m_moments.assign(m_parameters.size(), {});
    m_steps = 0;
  }

  std::vector<std::pair<std::string, at::Tensor>> remembered(std::size_t i) const override {
    if (!m_moments[i].mean.defined()) return {};
    return {{"mean", m_moments[i].mean}, {"square", m_moments[i].square}};
  }
  void remember(std::size_t i, const std::string& name, const at::Tensor& value, int steps) override {
    if (name == "mean") m_moments[i].mean = copyLike(m_parameters[i], value);
    if (name == "square") m_moments[i].square = copyLike(m_parameters[i], value);
    m_steps = steps;
  }

  void step(double lr) override {
    const at::NoGradGuard no_grad;
    ++m_steps;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
      at::Tensor gradient = m_parameters[i].grad();
      if (!gradient.defined()) continue;
      if (m_weight_decay != 0) gradient = gradient.add(m_parameters[i], m_weight_decay);
      stepOne(m_parameters[i], gradient, m_moments[i], lr);
    }
  }

 private:
  static constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEps = 1e-8;

  struct Moments {
    at::Tensor mean, square;
  };

  void stepOne(at::Tensor& parameter, const at::Tensor& gradient, Moments& moments, double lr) const {
    if (!moments.mean.defined()) moments = {at::zeros_like(parameter), at::zeros_like(parameter)};
    moments.mean.lerp_(gradient, 1 - kBeta1);
    moments.square.mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
    const double correction1 = 1 - std::pow(kBeta1, m_steps);
    const double correction2 = std::sqrt(1 - std::pow(kBeta2, m_steps));
    parameter.addcdiv_(moments.mean, moments.square.sqrt().div_(correction2).add_(kEps), -(lr / correction1));
  }

  std::vector<at::Tensor> m_parameters;
  std::vector<Moments> m_moments;
  double m_weight_decay;
  int m_steps = 0;
};

}  // namespace

std::unique_ptr<Optimizer> makeOptimizer(const TrainingConfig& training, std::vector<at::Tensor> parameters) {
  if (training.optimizer == OptimizerKind::Adam) {
    return std::make_unique<Adam>(training, std::move(parameters));
  }
  return std::make_unique<Sgd>(training, std::move(parameters));
}

}  // namespace lanelab
