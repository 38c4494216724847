// SPDX-License-Identifier: GPL-3.0-only
// Losses of a micro-batch, weighted so that the gradients of all micro-batches add up to those of the unsplit batch.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/experiment/choices.h"

namespace lanelab {

/// Targets as the loss wants them: MSE takes class ids [N] as one-hot rows [N,classes]; cross entropy takes ids, or
/// rows of probabilities.
at::Tensor targetsFor(Loss kind, const at::Tensor& targets, std::int64_t classes);

/// How many samples have their largest output where their target is (or is largest), as an int64 scalar without
/// autograd.
at::Tensor countCorrect(const at::Tensor& output, const at::Tensor& targets);

/// Mean over the micro-batch (PyTorch's default reduction) times `weight`, a scalar with autograd.
at::Tensor weightedLoss(Loss kind, const at::Tensor& output, const at::Tensor& targets, double weight);

}  // namespace lanelab
