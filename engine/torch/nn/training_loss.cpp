// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/training_loss.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/one_hot.h>
#include <ATen/ops/sum.h>

namespace lanelab {

at::Tensor targetsFor(Loss kind, const at::Tensor& targets, std::int64_t classes) {
  return kind == Loss::Mse && targets.dim() == 1 ? at::one_hot(targets, classes).to(at::kFloat) : targets;
}

at::Tensor countCorrect(const at::Tensor& output, const at::Tensor& targets) {
  const at::NoGradGuard no_grad;
  const at::Tensor wanted = targets.dim() == 1 ? targets : at::argmax(targets, 1);
  return at::sum(at::eq(at::argmax(output, 1), wanted));
}

at::Tensor weightedLoss(Loss kind, const at::Tensor& output, const at::Tensor& targets, double weight) {
  const at::Tensor loss = kind == Loss::Mse ? at::mse_loss(output, targets) : at::cross_entropy_loss(output, targets);
  return weight == 1 ? loss : loss.mul(weight);
}

}  // namespace lanelab
