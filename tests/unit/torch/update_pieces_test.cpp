// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/update_pieces.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/add.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "engine/model/update_piece.h"
#include "engine/torch/nn/optimizer.h"

namespace lanelab {
namespace {

/// torch/optim/sgd.py and adam.py, _single_tensor_sgd and _single_tensor_adam, over whole tensors.
class WholeUpdates {
 public:
  WholeUpdates(const TrainingConfig& training, at::Tensor parameter)
      : m_training(training), m_parameter(std::move(parameter)) {}

  void step(at::Tensor gradient, double lr) {
    const at::NoGradGuard no_grad;
    ++m_steps;
    if (m_training.weight_decay != 0) gradient = gradient.add(m_parameter, m_training.weight_decay);
    m_training.optimizer == OptimizerKind::Adam ? adam(gradient, lr) : sgd(gradient, lr);
  }

 private:
  void sgd(at::Tensor gradient, double lr) {
    if (m_training.momentum != 0) {
      if (m_first.defined()) {
        m_first.mul_(m_training.momentum).add_(gradient);
      } else {
        m_first = gradient.clone();
      }
      gradient = m_training.nesterov ? gradient.add(m_first, m_training.momentum) : m_first;
    }
    m_parameter.add_(gradient, -lr);
  }

  void adam(const at::Tensor& gradient, double lr) {
    if (!m_first.defined()) {
      m_first = at::zeros_like(m_parameter);
      m_second = at::zeros_like(m_parameter);
    }
    m_first.lerp_(gradient, 1 - 0.9);
    m_second.mul_(0.999).addcmul_(gradient, gradient, 1 - 0.999);
    const double correction1 = 1 - std::pow(0.9, m_steps), correction2 = std::sqrt(1 - std::pow(0.999, m_steps));
    m_parameter.addcdiv_(m_first, m_second.sqrt().div_(correction2).add_(1e-8), -(lr / correction1));
  }

  TrainingConfig m_training;
  at::Tensor m_parameter, m_first, m_second;
  int m_steps = 0;
};

TrainingConfig sgdWith(double momentum, double weight_decay, bool nesterov = false) {
  TrainingConfig training;
  training.momentum = momentum;
  training.weight_decay = weight_decay;
  training.nesterov = nesterov;
  return training;
}

TrainingConfig adamWith(double weight_decay) {
  TrainingConfig training = sgdWith(0, weight_decay);
  training.optimizer = OptimizerKind::Adam;
  return training;
}

const std::vector<std::pair<std::string, TrainingConfig>>& optimizers() {
  static const std::vector<std::pair<std::string, TrainingConfig>> all = {
      {"sgd", sgdWith(0, 0)},
      {"decay", sgdWith(0, 0.01)},
      {"momentum", sgdWith(0.9, 0)},
      {"momentum and decay", sgdWith(0.9, 0.01)},
      {"nesterov", sgdWith(0.9, 0, true)},
      {"nesterov and decay", sgdWith(0.9, 0.01, true)},
      {"adam", adamWith(0)},
      {"adam and decay", adamWith(0.01)}};
  return all;
}

/// Three updates of a copy of `weight` each way, with gradients in the layout of `gradient`.
void expectSameBits(const std::string& name, const TrainingConfig& training, const at::Tensor& weight,
                    const at::Tensor& gradient) {
  const at::Tensor whole = weight.clone(), pieces = weight.clone().requires_grad_();
  WholeUpdates plain(training, whole);
  const auto optimizer = makeOptimizer(training, {pieces});
  for (int step = 0; step < 3; ++step) {
    const at::Tensor now = gradient.mul(0.1 + step);
    pieces.mutable_grad() = now;
    plain.step(now, 0.01);
    optimizer->step(0.01);
    EXPECT_TRUE(at::equal(whole, pieces.detach())) << name << ", " << weight.sizes() << ", step " << step;
  }
}

TEST(UpdatePieces, OfEveryOptimizerLeaveTheBitsOfWholeTensors) {
  const std::int64_t odd = 3 * kUpdatePieceNumbers + 5;  // the last piece is no multiple of a vector
  for (const auto& [name, training] : optimizers()) {
    for (const std::int64_t numbers : {std::int64_t{7}, kUpdatePieceNumbers, kUpdatePieceNumbers + 1, odd})
      expectSameBits(name, training, at::randn({numbers}), at::randn({numbers}));
  }
}

TEST(UpdatePieces, FollowTheMemoryLayout) {
  constexpr auto kImages = at::MemoryFormat::ChannelsLast;
  const at::Tensor images = at::randn({64, 64, 3, 3}).contiguous(kImages), plain = at::randn({64, 64, 3, 3});
  const at::Tensor pointwise = at::randn({512, 64, 1, 1}).contiguous(kImages), matrix = at::randn({512, 64, 1, 1});
  for (const auto& [name, training] : optimizers()) {
    expectSameBits(name, training, images, at::randn({64, 64, 3, 3}).contiguous(kImages));
    expectSameBits(name, training, images, plain);  // in another order: as a whole
    expectSameBits(name, training, pointwise, matrix);
    expectSameBits(name, training, at::randn({256, 130}), at::randn({130, 256}).t());
  }
}

TEST(UpdatePieces, GiveTheSameBitsForAnyNumberOfThreads) {
  const at::Tensor weight = at::randn({9 * kUpdatePieceNumbers + 3}), gradient = at::randn_like(weight);
  for (const int threads : {1, 2, 5}) {
    std::thread([&] {
      at::set_num_threads(threads);
      for (const auto& [name, training] : optimizers()) expectSameBits(name, training, weight, gradient);
    }).join();
  }
}

TEST(UpdatePieces, AreNoticedByAutograd) {
  const at::Tensor weight = at::randn({2 * kUpdatePieceNumbers}).requires_grad_();
  const at::Tensor loss = weight.square().sum();  // stores the weight
  updateInPieces({weight}, /*with_temporary=*/false, [](TensorList& piece) { piece[0].add_(1); });
  EXPECT_THROW(loss.backward(), c10::Error);
}

TEST(UpdatePieces, HaveATemporaryOfTheirSize) {
  const at::Tensor sum = at::zeros({2 * kUpdatePieceNumbers + 9});
  updateInPieces({sum}, /*with_temporary=*/true, [](TensorList& piece) {
    ASSERT_EQ(piece.size(), 2u);
    EXPECT_EQ(piece[1].numel(), piece[0].numel());
    EXPECT_LE(piece[1].numel(), kUpdatePieceNumbers);
    piece[1].fill_(2);
    piece[0].add_(piece[1]);
  });
  EXPECT_TRUE(at::equal(sum, at::full_like(sum, 2)));
}

}  // namespace
}  // namespace lanelab
