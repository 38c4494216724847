// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lanelab {

double learningRate(const TrainingConfig& training, int steps, int step) {
  const int warm = training.lr_warmup;
  if (step < warm) return training.lr * (step + 1) / (warm + 1);
  const int after = step - warm;
  if (training.lr_schedule == LrSchedule::Step)
    return training.lr * std::pow(training.lr_gamma, after / training.lr_step_size);
  if (training.lr_schedule != LrSchedule::Cosine) return training.lr;
  const double turn = std::numbers::pi * after / std::max(1, steps - warm);
  return training.lr_min + (training.lr - training.lr_min) * (1 + std::cos(turn)) / 2;
}

}  // namespace lanelab
