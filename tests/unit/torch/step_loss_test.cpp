// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/step_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>

namespace lanelab {
namespace {

TEST(StepLoss, IsThePartOfOneReplicaOfTheMean) {
  StepLoss loss(Loss::Mse, 2, false);
  loss.beginStep();
  const at::Tensor targets = at::full({2, 1}, 2.0);
  loss.add(at::zeros({2, 1}), targets, 0.5);  // half of the batch
  loss.add(targets, targets, 0.5);
  EXPECT_DOUBLE_EQ(loss.endStep(), 0.5 * 4 / 2);
}

TEST(StepLoss, IsWeightedByValidTargetsIfTheBatchHasPadding) {
  const at::Tensor batch = at::tensor({0, 1, 2, -100, 1, -100}).to(at::kLong);
  StepLoss loss(Loss::CrossEntropy, 2, false);
  loss.beginStep();
  loss.beginBatch(batch);
  const double each = std::log(3.0) * 2 / 4;  // of two replicas and four targets
  struct Rows {
    std::int64_t begin, count, valid;
  };
  for (const Rows& rows : {Rows{0, 3, 3}, Rows{3, 2, 1}, Rows{5, 1, 0}}) {
    const at::Tensor part =
        loss.add(at::zeros({rows.count, 3}), batch.narrow(0, rows.begin, rows.count), /*weight=*/0.5);
    EXPECT_NEAR(part.item<double>(), static_cast<double>(rows.valid) * each, 1e-6) << rows.begin;
  }
  EXPECT_NEAR(loss.endStep(), std::log(3.0), 1e-6);
  loss.beginStep();
  loss.beginBatch(batch.narrow(0, 0, 3));
  EXPECT_NEAR(loss.add(at::zeros({3, 3}), batch.narrow(0, 0, 3), 0.5).item<double>(), std::log(3.0) / 2, 1e-6)
      << "by samples without padding";
}

TEST(StepLoss, OfAnOutputComputedAgainCountsForNothing) {
  StepLoss loss(Loss::Mse, 1, true);
  loss.beginStep();
  EXPECT_DOUBLE_EQ(loss.again(at::zeros({2, 1}), at::full({2, 1}, 2.0), 1).item<double>(), 4);
  EXPECT_DOUBLE_EQ(loss.endStep(), 0);
  EXPECT_EQ(loss.collectCorrect(), 0);
}

TEST(StepLoss, CountsRightAnswersOverStepsUntilTheyAreCollected) {
  StepLoss loss(Loss::CrossEntropy, 1, true);
  const at::Tensor output = at::eye(3), classes = at::zeros({3}, at::kLong);  // one of three is right
  for (int step = 0; step < 2; ++step) {
    loss.beginStep();
    loss.add(output, classes, 1);
    loss.endStep();
  }
  EXPECT_EQ(loss.collectCorrect(), 2);
  EXPECT_EQ(loss.collectCorrect(), 0) << "they are collected once";
  loss.beginStep();
  loss.add(output, classes, 1);
  loss.endStep();
  loss.beginRepeat();
  EXPECT_EQ(loss.collectCorrect(), 0) << "a repeat begins without";
}

// Cross entropy of tokens row by row, against PyTorch's form with the classes before the positions.
constexpr std::int64_t kTokenSamples = 3, kTokenPositions = 7, kTokenClasses = 20;

struct TokenLoss {
  const char* name;
  bool shift = false, padded = false;
  double smoothing = 0;
};

constexpr TokenLoss kTokenLosses[] = {{"plain"},
                                      {"shifted", true},
                                      {"padded", false, true},
                                      {"shifted and padded", true, true},
                                      {"smoothed", true, true, 0.1}};

at::Tensor tokensFor(const TokenLoss& c) {
  at::Tensor targets = at::randint(kTokenClasses, {kTokenSamples, kTokenPositions}).to(at::kLong);
  if (c.padded) targets.narrow(1, kTokenPositions - 2, 2).fill_(kPaddingTarget);
  return targets;
}

TEST(TokenLoss, ByRowsIsPyTorchsToRounding) {
  for (const TokenLoss& c : kTokenLosses) {
    LossRule plain(Loss::CrossEntropy, c.shift, c.smoothing), rows = plain;
    rows.by_rows = true;
    const at::Tensor targets = tokensFor(c), numbers = at::randn({kTokenSamples, kTokenPositions, kTokenClasses});
    for (const bool valid : {false, true}) {
      at::Tensor losses[2], gradients[2];
      for (const bool by_rows : {false, true}) {
        const at::Tensor output = numbers.clone().requires_grad_();
        const LossRule& rule = by_rows ? rows : plain;
        losses[by_rows] =
            valid ? lossPerValidTarget(rule, output, targets, 11) : weightedLoss(rule, output, targets, 0.5);
        losses[by_rows].backward();
        gradients[by_rows] = output.grad();
      }
      EXPECT_NEAR(losses[0].item<double>(), losses[1].item<double>(), 1e-5) << c.name;
      EXPECT_LT((gradients[0] - gradients[1]).abs().max().item<double>(), 1e-6) << c.name;
    }
  }
}

TEST(TokenLoss, IsByRowsWithFusedKernelsAlone) {
  TrainingConfig training;
  EXPECT_TRUE(LossRule(training).by_rows);
  training.layout = Layout::Contiguous;
  EXPECT_FALSE(LossRule(training).by_rows);
  training.layout = Layout::ChannelsLast;
  training.kernels = Kernels::Aten;
  EXPECT_FALSE(LossRule(training).by_rows);
}

}  // namespace
}  // namespace lanelab
