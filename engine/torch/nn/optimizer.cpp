// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/optimizer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>

#include "engine/torch/nn/update_pieces.h"

namespace lanelab {

namespace {

/// In the parameter's memory layout, as the gradients are that the memory was made from: so the same instructions come
/// to the same bits.
at::Tensor copyLike(const at::Tensor& parameter, const at::Tensor& value) {
  return at::zeros_like(parameter.detach()).copy_(value);
}

/// The gradient with the weight's decay, in `temporary`; the gradient itself without.
const at::Tensor& decayed(const at::Tensor& gradient, const at::Tensor& parameter, double decay,
                          at::Tensor& temporary) {
  return decay == 0 ? gradient : at::add_out(temporary, gradient, parameter, decay);
}

/// torch.optim.SGD's single-tensor form (torch/optim/sgd.py).
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
      const at::Tensor& gradient = m_parameters[i].grad();
      if (!gradient.defined()) continue;
      if (m_momentum == 0 && m_weight_decay == 0) {
        m_parameters[i].add_(gradient, -lr);
      } else {
        stepOne(m_parameters[i], gradient, m_velocity[i], lr);
      }
    }
  }

 private:
  void stepOne(const at::Tensor& parameter, const at::Tensor& gradient, at::Tensor& velocity, double lr) const {
    TensorList tensors{parameter, gradient};
    const bool first = !velocity.defined();
    if (m_momentum != 0) tensors.push_back(first ? velocity = at::empty_like(gradient) : velocity);
    updateInPieces(tensors, m_weight_decay != 0 || m_nesterov, [&](TensorList& piece) {
      const at::Tensor &p = piece[0], v = m_momentum != 0 ? piece[2] : at::Tensor();
      at::Tensor& temporary = piece.back();
      at::Tensor direction = decayed(piece[1], p, m_weight_decay, temporary);
      if (m_momentum != 0) {
        first ? v.copy_(direction) : v.mul_(m_momentum).add_(direction);
        direction = m_nesterov ? at::add_out(temporary, direction, v, m_momentum) : v;
      }
      p.add_(direction, -lr);
    });
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
      const at::Tensor& gradient = m_parameters[i].grad();
      if (gradient.defined()) stepOne(m_parameters[i], gradient, m_moments[i], lr);
    }
  }

 private:
  static constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEps = 1e-8;

  struct Moments {
    at::Tensor mean, square;
  };

  void stepOne(const at::Tensor& parameter, const at::Tensor& gradient, Moments& moments, double lr) const {
    if (!moments.mean.defined()) moments = {at::zeros_like(parameter), at::zeros_like(parameter)};
    const double correction1 = 1 - std::pow(kBeta1, m_steps);
    const double correction2 = std::sqrt(1 - std::pow(kBeta2, m_steps));
    updateInPieces(
        {parameter, gradient, moments.mean, moments.square}, /*with_temporary=*/true, [&](TensorList& piece) {
          const at::Tensor &p = piece[0], &mean = piece[2], &square = piece[3];
          at::Tensor& temporary = piece.back();
          const at::Tensor& direction = decayed(piece[1], p, m_weight_decay, temporary);
          mean.lerp_(direction, 1 - kBeta1);
          square.mul_(kBeta2).addcmul_(direction, direction, 1 - kBeta2);
          p.addcdiv_(mean, at::sqrt_out(temporary, square).div_(correction2).add_(kEps), -(lr / correction1));
        });
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
