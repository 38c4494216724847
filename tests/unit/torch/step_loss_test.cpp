// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/step_loss.h"

#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace lanelab
