// SPDX-License-Identifier: GPL-3.0-only
// Losses of a micro-batch, weighted so that the gradients of all micro-batches add up to those of the unsplit batch.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "engine/experiment/training_config.h"

namespace lanelab {

/// Which loss is taken of outputs and targets.
struct LossRule {
  LossRule(Loss its_kind, bool shifts = false, double smooths = 0)
      : kind(its_kind), shift(shifts), smoothing(smooths) {}
  explicit LossRule(const TrainingConfig& training);

  Loss kind;
  bool shift;            ///< of tokens: the prediction at position t is for the target at t + 1
  double smoothing;      ///< of cross entropy: the share of each target that all classes get
  bool by_rows = false;  ///< of tokens on a CPU in fp32: each is a row, in the order of memory
};

/// The target of a padded position or row, which cross entropy leaves out: the ignore_index of
/// torch.nn.functional.cross_entropy.
constexpr std::int64_t kPaddingTarget = -100;

/// Targets that are compared with a prediction, and those beside them that are padding.
struct TargetCount {
  std::int64_t valid = 0;
  std::int64_t padding = 0;
};

/// Of targets on the host. Padding is known to the cross entropy of ids alone; without it each sample counts as one.
TargetCount countTargets(const LossRule& rule, const at::Tensor& targets);

/// Targets as the loss wants them: MSE takes class ids [N] as one-hot rows [N,classes], else numbers in the output's
/// shape; cross entropy takes class ids [N], rows of probabilities, or token ids [N,T]; a network that gives its loss
/// takes rows of nothing [N,0].
at::Tensor targetsFor(const LossRule& rule, const at::Tensor& targets, std::int64_t classes);

/// How many answers have their largest output where their target is (or is largest), as an int64 scalar without
/// autograd: of the samples, or of the compared positions where targets are tokens.
at::Tensor countCorrect(const LossRule& rule, const at::Tensor& output, const at::Tensor& targets);

/// Mean over the micro-batch (PyTorch's default reduction) times `weight`, a scalar with autograd. Logits [N,T,V] and
/// token ids [N,T] give the mean over all tokens, as torch.nn.functional.cross_entropy does of logits.transpose(1, 2),
/// or by rows of logits.flatten(0, 1), which copies nothing and rounds otherwise. An output that is
/// the loss, a scalar, is only weighted.
at::Tensor weightedLoss(const LossRule& rule, const at::Tensor& output, const at::Tensor& targets, double weight);

/// Cross entropy of ids, summed over all targets but padding and divided by `valid`: with the valid targets of a whole
/// batch its micro-batches add up to the cross entropy of the batch, whatever each of them has of these. Without any
/// target: 0, and not a number if `valid` is 0, both with gradients of 0, as PyTorch has it.
at::Tensor lossPerValidTarget(const LossRule& rule, const at::Tensor& output, const at::Tensor& targets, double valid);

/// The mean of losses [R], each of so many samples.
at::Tensor meanOfLosses(const at::Tensor& losses, const std::vector<int>& samples);

}  // namespace lanelab
