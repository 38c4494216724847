// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/training_loss.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/one_hot.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/tensor.h>

#include <numeric>

#include "engine/experiment/training_modes.h"

namespace lanelab {

namespace {

/// What is compared with what.
struct Compared {
  at::Tensor output, targets;
};

bool areTokens(const at::Tensor& output, const at::Tensor& targets) {
  return output.dim() == 3 && targets.dim() == 2 && !targets.is_floating_point();
}

Compared shifted(const LossRule& rule, const at::Tensor& output, const at::Tensor& targets) {
  if (!rule.shift) return {output, targets};
  const std::int64_t positions = targets.size(1) - 1;
  return {output.narrow(1, 0, positions), targets.narrow(1, 1, positions)};
}

/// For each position the target behind it, and padding for the last.
at::Tensor nextTargets(const at::Tensor& targets) {
  at::Tensor next = targets.roll(-1, 1);
  next.select(1, -1).fill_(kPaddingTarget);
  return next;
}

at::Tensor crossEntropy(const LossRule& rule, const at::Tensor& output, const at::Tensor& targets,
                        at::Reduction::Reduction reduction) {
  const auto loss = [&](const at::Tensor& logits, const at::Tensor& wanted) {
    return at::cross_entropy_loss(logits, wanted, /*weight=*/{}, reduction, kPaddingTarget, rule.smoothing);
  };
  if (!areTokens(output, targets)) return loss(output, targets);
  if (rule.by_rows && output.is_cpu() && output.scalar_type() == at::kFloat && output.is_contiguous())
    return loss(output.flatten(0, 1), (rule.shift ? nextTargets(targets) : targets).flatten());
  const Compared compared = shifted(rule, output, targets);
  return loss(compared.output.transpose(1, 2), compared.targets);
}

at::Tensor plainLoss(const LossRule& rule, const at::Tensor& output, const at::Tensor& targets) {
  switch (rule.kind) {
    case Loss::Mse: return at::mse_loss(output, targets);
    case Loss::CrossEntropy: return crossEntropy(rule, output, targets, at::Reduction::Mean);
    case Loss::Output: break;
  }
  return output;
}

}  // namespace

LossRule::LossRule(const TrainingConfig& training)
    : LossRule(training.loss, training.loss_shift, training.label_smoothing) {
  by_rows = usesFusedKernels(training);
}

TargetCount countTargets(const LossRule& rule, const at::Tensor& targets) {
  const bool ids = rule.kind == Loss::CrossEntropy && !targets.is_floating_point();
  if (!ids) return {targets.size(0), 0};
  const bool shifts = rule.shift && targets.dim() == 2;
  const at::Tensor compared = shifts ? targets.narrow(1, 1, targets.size(1) - 1) : targets;
  // Unsigned ids hold none, and PyTorch would compare them with 156.
  const bool may_pad = targets.scalar_type() != at::kByte;
  const std::int64_t padding = may_pad ? at::sum(at::eq(compared, kPaddingTarget)).item<std::int64_t>() : 0;
  return {compared.numel() - padding, padding};
}

at::Tensor targetsFor(const LossRule& rule, const at::Tensor& targets, std::int64_t classes) {
  if (rule.kind == Loss::Output) return at::empty({targets.size(0), 0}, at::TensorOptions().dtype(at::kFloat));
  const bool ids = targets.dim() == 1 && !targets.is_floating_point();
  return rule.kind == Loss::Mse && ids ? at::one_hot(targets, classes).to(at::kFloat) : targets;
}

at::Tensor countCorrect(const LossRule& rule, const at::Tensor& output, const at::Tensor& targets) {
  const at::NoGradGuard no_grad;
  if (areTokens(output, targets)) {
    const Compared compared = shifted(rule, output, targets);
    return at::sum(at::eq(at::argmax(compared.output, 2), compared.targets));
  }
  const at::Tensor wanted = targets.dim() == 1 ? targets : at::argmax(targets, 1);
  return at::sum(at::eq(at::argmax(output, 1), wanted));
}

at::Tensor weightedLoss(const LossRule& rule, const at::Tensor& output, const at::Tensor& targets, double weight) {
  const at::Tensor loss = plainLoss(rule, output, targets);
  return weight == 1 ? loss : loss.mul(weight);
}

at::Tensor lossPerValidTarget(const LossRule& rule, const at::Tensor& output, const at::Tensor& targets, double valid) {
  return crossEntropy(rule, output, targets, at::Reduction::Sum).div(valid);
}

at::Tensor meanOfLosses(const at::Tensor& losses, const std::vector<int>& samples) {
  const double all = std::accumulate(samples.begin(), samples.end(), 0.0);
  std::vector<double> shares;
  for (const int count : samples) shares.push_back(count / all);
  return at::dot(losses, at::tensor(shares, losses.options().requires_grad(false)));
}

}  // namespace lanelab
