// SPDX-License-Identifier: GPL-3.0-only
// The learning rate of each step (PyTorch's own schedulers hold it in tests/oracle).
#include <gtest/gtest.h>

#include <cmath>

#include "engine/experiment/learning_rate.h"

namespace lanelab {
namespace {

std::vector<double> ratesOf(const TrainingConfig& training, int steps) {
  std::vector<double> rates;
  for (int step = 0; step < steps; ++step) rates.push_back(learningRate(training, steps, step));
  return rates;
}

void expectRates(const TrainingConfig& training, const std::vector<double>& wanted) {
  const std::vector<double> rates = ratesOf(training, static_cast<int>(wanted.size()));
  for (std::size_t step = 0; step < wanted.size(); ++step)
    EXPECT_NEAR(rates[step], wanted[step], 1e-15) << "step " << step;
}

TrainingConfig withRate(LrSchedule schedule, int warmup) {
  TrainingConfig training;
  training.lr = 0.8;
  training.lr_schedule = schedule;
  training.lr_warmup = warmup;
  training.lr_step_size = 2;
  training.lr_gamma = 0.5;
  return training;
}

TEST(LearningRate, StaysConstant) { expectRates(withRate(LrSchedule::Constant, 0), {0.8, 0.8, 0.8}); }

TEST(LearningRate, RisesDuringTheWarmUp) { expectRates(withRate(LrSchedule::Constant, 3), {0.2, 0.4, 0.6, 0.8, 0.8}); }

TEST(LearningRate, FallsInStepsCountedFromTheWarmUp) {
  expectRates(withRate(LrSchedule::Step, 1), {0.4, 0.8, 0.8, 0.4, 0.4, 0.2});
}

TEST(LearningRate, FollowsACosineToTheMinimum) {
  TrainingConfig training = withRate(LrSchedule::Cosine, 0);
  training.lr_min = 0.2;
  expectRates(training, {0.8, 0.5 + 0.3 * std::sqrt(0.5), 0.5, 0.5 - 0.3 * std::sqrt(0.5)});
}

TEST(LearningRate, AWarmUpAsLongAsTheRunLeavesNothingToFall) {
  expectRates(withRate(LrSchedule::Cosine, 3), {0.2, 0.4, 0.6});
}

}  // namespace
}  // namespace lanelab
