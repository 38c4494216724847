// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/parameter_update.h"

#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randn_like.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/model/cpu_instructions.h"
#include "engine/model/update_piece.h"
#include "engine/torch/nn/optimizer.h"

namespace lanelab {
namespace {

/// Updates of a copy, by PyTorch's operators.
class ByOperators {
 public:
  ByOperators(const TrainingConfig& training, at::Tensor parameter)
      : m_training(training), m_parameter(std::move(parameter)) {}

  void step(const at::Tensor& gradient, double lr) {
    const TrainingConfig& t = m_training;
    if (t.optimizer == OptimizerKind::Adam) {
      updateByAdam(m_parameter, gradient, m_first, m_second,
                   {.lr = lr, .weight_decay = t.weight_decay, .step = ++m_steps}, UpdateForm::Operators);
    } else {
      updateBySgd(m_parameter, gradient, m_first, {lr, t.momentum, t.weight_decay, t.nesterov}, UpdateForm::Operators);
    }
  }

 private:
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
  const at::Tensor whole = weight.clone(), fused = weight.clone().requires_grad_();
  ByOperators plain(training, whole);
  Optimizer optimizer(training, {fused});
  for (int step = 0; step < 3; ++step) {
    const at::Tensor now = gradient.mul(0.1 + step);
    fused.mutable_grad() = now;
    plain.step(now, 0.01);
    optimizer.step(0.01);
    EXPECT_TRUE(at::equal(whole, fused.detach())) << name << ", " << weight.sizes() << ", step " << step;
  }
}

TEST(ParameterUpdates, OfEveryOptimizerHaveTheBitsOfOperators) {
  const std::int64_t odd = 3 * kUpdatePieceNumbers + 5;  // the last piece is no multiple of a vector
  for (const auto& [name, training] : optimizers()) {
    for (const std::int64_t numbers : {std::int64_t{7}, kUpdatePieceNumbers, kUpdatePieceNumbers + 1, odd})
      expectSameBits(name, training, at::randn({numbers}), at::randn({numbers}));
  }
}

TEST(ParameterUpdates, FollowTheMemoryLayout) {
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

TEST(ParameterUpdates, GiveTheSameBitsForAnyNumberOfThreads) {
  const at::Tensor weight = at::randn({9 * kUpdatePieceNumbers + 3}), gradient = at::randn_like(weight);
  for (const int threads : {1, 2, 5}) {
    std::thread([&] {
      at::set_num_threads(threads);
      for (const auto& [name, training] : optimizers()) expectSameBits(name, training, weight, gradient);
    }).join();
  }
}

TEST(ParameterUpdates, AreFusedOnCpusWithAvx2) {
  if (widestSimd() == Simd::Plain) GTEST_SKIP() << "no AVX2";
  EXPECT_TRUE(fusesUpdates()) << "PyTorch's operators round otherwise: update_loops.h has to follow them";
}

TEST(ParameterUpdates, AreNoticedByAutograd) {
  for (const auto& [name, training] : optimizers()) {
    const at::Tensor weight = at::randn({2 * kUpdatePieceNumbers}).requires_grad_();
    const at::Tensor loss = weight.square().sum();  // stores the weight
    weight.mutable_grad() = at::randn_like(weight.detach());
    Optimizer(training, {weight}).step(0.01);
    EXPECT_THROW(loss.backward(), c10::Error) << name;
  }
}

TEST(ParameterUpdates, OfOtherTypesAreDoneByOperators) {
  for (const auto& [name, training] : optimizers())
    expectSameBits(name, training, at::randn({100}, at::kDouble), at::randn({100}, at::kDouble));
}

}  // namespace
}  // namespace lanelab
