// SPDX-License-Identifier: GPL-3.0-only
// Bounds of what rounding alone moves: they let rounding through, and no error of a tensor that is not rounding.
#include "engine/torch/train/rounding_bounds.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace lanelab {
namespace {

constexpr double kTolerance = 1e-3;

TEST(RoundingBounds, NudgesEachNumberOfAParameterByItsLastBitAndNothingElse) {
  const TensorMap weights = {{"w", at::linspace(0.5, 3, 100)}, {"zero", at::zeros({5})}, {"mean", at::ones({3})}};
  const TensorMap gradients = {{"w", at::ones({100})}, {"zero", at::ones({5})}};
  const TensorMap once = nudged(weights, gradients, Precision::Fp32, 0),
                  again = nudged(weights, gradients, Precision::Fp32, 1);
  const at::Tensor share = once.at("w").sub(weights.at("w")).div(weights.at("w")).abs();
  EXPECT_GT(share.min().item<double>(), std::ldexp(1.0, -25));
  EXPECT_LE(share.max().item<double>(), std::ldexp(1.0, -22));
  EXPECT_GT(once.at("w").gt(weights.at("w")).sum().item<int>(), 30);
  EXPECT_GT(once.at("w").lt(weights.at("w")).sum().item<int>(), 30);
  EXPECT_FALSE(once.at("w").equal(again.at("w")));
  EXPECT_TRUE(once.at("w").equal(nudged(weights, gradients, Precision::Fp32, 0).at("w")));
  EXPECT_TRUE(once.at("zero").equal(weights.at("zero")));
  EXPECT_TRUE(once.at("mean").equal(weights.at("mean")));
  const TensorMap coarse = nudged(weights, gradients, Precision::Bf16, 0);
  EXPECT_FALSE(coarse.at("w").to(at::kBFloat16).equal(weights.at("w").to(at::kBFloat16)));
}

/// A network after some steps: a layer, one deep behind it with gradients of 1e-5 of those, and a bias before a norm,
/// whose gradient is rounding; that also of a part of the fused bias.
PlainResult trained(double noise, double moved_by_adam) {
  PlainResult result;
  result.losses = {1, 0.9};
  result.gradients = {{"bias", at::full({6}, noise)},
                      {"deep", at::full({6}, 1e-5 + noise)},
                      {"fused", at::cat({at::ones({6}), at::full({6}, noise)})},
                      {"layer", at::ones({6})}};
  result.weights = {{"bias", at::full({6}, moved_by_adam)},
                    {"deep", at::full({6}, 0.2)},
                    {"fused", at::cat({at::full({6}, -2e-3), at::full({6}, moved_by_adam)})},
                    {"layer", at::full({6}, 0.3)}};
  return result;
}

/// The reference, and bounds from one training of nudged weights.
struct Measured {
  PlainResult reference = trained(1e-9, 1e-3);
  MeasuredRounding rounding;
  Measured() { widen(rounding, reference, trained(-2e-9, -1e-3), Precision::Fp32, kTolerance); }

  bool holds(const TensorMap& gradients) const {
    return compareMaps("gradients", gradients, reference.gradients, {kTolerance, rounding.gradients})
               .worst_difference <= kTolerance;
  }
  bool weightsHold(const TensorMap& weights) const {
    return compareMaps("parameters", weights, reference.weights, {kTolerance, rounding.weights}).worst_difference <=
           kTolerance;
  }
};

TEST(RoundingBounds, LetRoundingThroughWhateverItsShareOfTheTensor) {
  const Measured measured;
  EXPECT_TRUE(measured.holds(trained(-4e-9, 0).gradients));
  EXPECT_TRUE(measured.weightsHold(trained(0, -1e-3).weights)) << "Adam moves what is rounding by whole steps";
  const MeasuredRounding none;
  EXPECT_GT(compareMaps("gradients", trained(-4e-9, 0).gradients, measured.reference.gradients).worst_difference, 1);
}

TEST(RoundingBounds, LetNoErrorThrough) {
  const struct {
    const char* tensor;
    double factor, added;
    const char* what;
  } errors[] = {{"bias", 1, 1e-4, "a bias before a norm with a gradient"},
                {"bias", 1, 1e-6, "a small one"},
                {"deep", 1.01, 0, "a hundredth of a gradient that is 1e-5 of the largest"},
                {"deep", 0, 0, "no gradient of a deep layer"},
                {"layer", 0.75, 0, "a micro-batch of four is missing"},
                {"layer", 1.002, 0, "wrong weights of uneven micro-batches"},
                {"fused", 0.5, 0, "half of a gradient"}};
  const Measured measured;
  for (const auto& error : errors) {
    TensorMap gradients = trained(-2e-9, 0).gradients;
    gradients[error.tensor] = gradients[error.tensor].mul(error.factor).add(error.added);
    EXPECT_FALSE(measured.holds(gradients)) << error.what;
  }
  TensorMap weights = trained(0, -1e-3).weights;
  weights["layer"] = weights["layer"].add(1e-3);
  EXPECT_FALSE(measured.weightsHold(weights)) << "one update more";
}

TEST(RoundingBounds, OfAChaoticTrainingExplainNoGradient) {
  PlainResult reference = trained(0, 0), moved = reference;
  moved.gradients["layer"] = at::full({6}, 1.1);  // moved by a tenth by the last bit of the weights
  MeasuredRounding rounding;
  widen(rounding, reference, moved, Precision::Fp32, kTolerance);
  const GroupEquality group = compareMaps("gradients", {{"layer", at::full({6}, 1.05)}},
                                          {{"layer", reference.gradients["layer"]}}, {kTolerance, rounding.gradients});
  EXPECT_GT(group.worst_difference, kTolerance);
}

TEST(RoundingBounds, AreTheWidestOfAllTrainings) {
  const PlainResult reference = trained(1e-9, 1e-3);
  MeasuredRounding rounding;
  widen(rounding, reference, trained(1.001e-9, 1e-3), Precision::Fp32, kTolerance);
  const double narrow = rounding.gradients.at("bias");
  widen(rounding, reference, trained(-5e-9, 1e-3), Precision::Fp32, kTolerance);
  const double wide = rounding.gradients.at("bias");
  widen(rounding, reference, trained(1.001e-9, 1e-3), Precision::Fp32, kTolerance);
  EXPECT_EQ(rounding.trainings, 3);
  EXPECT_GT(wide, 100 * narrow);
  EXPECT_EQ(rounding.gradients.at("bias"), wide);
}

}  // namespace
}  // namespace lanelab
