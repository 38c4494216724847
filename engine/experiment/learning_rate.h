// SPDX-License-Identifier: GPL-3.0-only
// The learning rate of each step: a linear warm-up, then constant, in steps or along a cosine.
#pragma once

#include "engine/experiment/experiment.h"

namespace lanelab {

/// Of step `step` (from 0) of a repeat of `steps` steps. As torch.optim.lr_scheduler's SequentialLR of LinearLR (from
/// lr / (w + 1), over w = lr_warmup steps) and then ConstantLR (factor 1), StepLR (lr_step_size, lr_gamma) or
/// CosineAnnealingLR (T_max = steps - w, eta_min = lr_min).
double learningRate(const TrainingConfig& training, int steps, int step);

}  // namespace lanelab
