// SPDX-License-Identifier: GPL-3.0-only
// The check of all variants against a single device: it proves what is equal, and names what is not.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/torch/train/equality_check.h"
#include "engine/torch/train/tensor_comparison.h"
#include "tests/support/seen_progress.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;

Experiment checkedExperiment() {
  Experiment experiment;
  experiment.model = {"resnet18", 10, std::nullopt};
  experiment.data.shape = {3, 32, 32};
  experiment.data.batch = 6;
  experiment.data.steps = 50;
  experiment.training.lr = 0.01;
  experiment.training.lr_schedule = LrSchedule::Cosine;
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}};
  return experiment;
}

VariantConfig variantOf(Strategy strategy, ScheduleKind schedule = ScheduleKind::Gpipe,
                        std::optional<int> split = std::nullopt) {
  VariantConfig variant;
  variant.name = toWord(strategy) + " " + toWord(schedule);
  variant.strategy = strategy;
  variant.schedule = schedule;
  variant.split_size = split;
  if (strategy != Strategy::Single) variant.cuts = std::vector<std::string>{"layer3.0"};
  return variant;
}

EqualityReport reportOf(const Experiment& experiment, int steps) {
  std::vector<Progress> seen;
  Result<EqualityReport> report = checkEquality(*resolve(experiment), steps, {test::into(seen)});
  EXPECT_TRUE(report.ok()) << report.error().message;
  test::expectSteadyProgress(seen);
  return report.ok() ? std::move(*report) : EqualityReport{};
}

TEST(EqualityCheck, EveryStrategyEqualsItsReferenceBitwise) {
  Experiment experiment = checkedExperiment();
  experiment.variants = {variantOf(Strategy::Single), variantOf(Strategy::ModelParallel),
                         variantOf(Strategy::Pipeline, ScheduleKind::Gpipe, 4),
                         variantOf(Strategy::Pipeline, ScheduleKind::OneFOneB, 2)};
  const EqualityReport report = reportOf(experiment, 2);
  ASSERT_EQ(report.variants.size(), 4u);
  EXPECT_TRUE(report.equal());
  EXPECT_TRUE(report.notes.empty());
  for (const VariantEquality& variant : report.variants) {
    EXPECT_TRUE(variant.bitwise_wanted) << variant.name;
    ASSERT_EQ(variant.groups.size(), 4u);
    const std::vector<int> tensors = {2, 62, 62, 60};
    for (std::size_t g = 0; g < 4; ++g) {
      EXPECT_EQ(variant.groups[g].tensors, tensors[g]) << variant.name << ' ' << variant.groups[g].what;
      EXPECT_EQ(variant.groups[g].bitwise, tensors[g])
          << variant.name << ' ' << variant.groups[g].what << ' ' << variant.groups[g].worst;
    }
  }
}

TEST(EqualityCheck, DataParallelEqualsCopiesThatGoThroughTheirChunksInOrder) {
  Experiment experiment = checkedExperiment();
  experiment.lanes.push_back({Device::cpu(0), "", 1});
  experiment.data.batch = 7;  // chunks of 3, 3 and 1
  VariantConfig variant = variantOf(Strategy::DataParallel);
  variant.cuts.reset();
  experiment.variants = {variant};
  const EqualityReport report = reportOf(experiment, 3);
  ASSERT_EQ(report.variants.size(), 1u);
  EXPECT_EQ(report.variants[0].replicas, 3);
  EXPECT_TRUE(report.variants[0].bitwise_wanted);
  EXPECT_TRUE(report.equal()) << equalityStatus(report).error().message;
  EXPECT_EQ(referenceText(report.variants[0]), "one device, 3 replicas in order");
}

TEST(EqualityCheck, HoldsForEveryUpdateRule) {
  Experiment experiment = checkedExperiment();
  experiment.model = {"toy", 5, std::nullopt};
  experiment.data.shape = {10};
  VariantConfig pipeline = variantOf(Strategy::Pipeline, ScheduleKind::OneFOneB, 2);
  pipeline.cuts = std::vector<std::string>{"net2"};
  experiment.variants = {pipeline};
  TrainingConfig momentum, nesterov, adam;
  momentum.momentum = nesterov.momentum = 0.9;
  momentum.weight_decay = adam.weight_decay = 0.01;
  nesterov.nesterov = true;
  adam.optimizer = OptimizerKind::Adam;
  for (const TrainingConfig& training : {momentum, nesterov, adam}) {
    experiment.training = training;
    EXPECT_TRUE(reportOf(experiment, 5).equal()) << toWord(training.optimizer) << ' ' << training.nesterov;
  }
}

TEST(EqualityCheck, EveryTrainingModeEqualsItsReferenceBitwise) {
  Experiment experiment = checkedExperiment();
  experiment.model = narrowResNet18(1, 1).model;
  VariantConfig deferred = variantOf(Strategy::Pipeline, ScheduleKind::OneFOneB, 2), rounded = deferred,
                together = deferred, again = deferred, remade = deferred;
  deferred.name = "deferred", deferred.batch_norm = BatchNormMode::Deferred;
  rounded.name = "rounded", rounded.precision = Precision::Bf16, rounded.recompute = std::vector<int>{1};
  together.name = "together", together.batch_norm = BatchNormMode::Synchronised;
  again.name = "again", again.recompute = std::vector<int>{0, 1}, again.batch_norm = BatchNormMode::Deferred;
  remade.name = "remade", remade.recompute = Recompute::Activations;
  experiment.variants = {variantOf(Strategy::Single), deferred, rounded, together, again, remade};
  const EqualityReport report = reportOf(experiment, 2);
  ASSERT_EQ(report.variants.size(), 6u);
  for (const VariantEquality& variant : report.variants) {
    EXPECT_TRUE(variant.bitwise_wanted);
    EXPECT_TRUE(variant.equal) << variant.name;
  }
  EXPECT_EQ(report.variants[3].micro_batches, 1)
      << "synchronised batch norms are held against the single device's whole batch";
}

TEST(EqualityCheck, SeveralThreadsALaneAreHeldByToleranceAndItSaysSo) {
  Experiment experiment = checkedExperiment();
  experiment.lanes = {{Device::cpu(0), "", 2}};
  experiment.training.lr = 0.1;
  experiment.variants = {variantOf(Strategy::Single)};
  const EqualityReport report = reportOf(experiment, 2);
  ASSERT_EQ(report.variants.size(), 1u);
  EXPECT_FALSE(report.variants[0].bitwise_wanted);
  EXPECT_TRUE(report.variants[0].equal) << report.variants[0].groups[1].worst << ' '
                                        << report.variants[0].groups[1].worst_difference;
  EXPECT_EQ(equalityRows(report)[1].back(), "rounding, at most 0.001");
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("0.001"));
}

TEST(EqualityCheck, WhatIsNotFiniteEqualsNothingAndTheAdviceFitsTheCause) {
  const struct {
    double lr;
    int steps;
    const char* advice;
  } cases[] = {
      {1e30, 3, "Step 2 is the first that is not finite, and the loss had not grown before. Check the data of step 2"},
      {1e3, 40, "the training diverges. Use a lower learning rate."},
      {1e38, 1, "the last update is not. Use a lower learning rate."}};
  for (const auto& c : cases) {
    Experiment experiment = checkedExperiment();
    experiment.model = {"toy", 5, std::nullopt};
    experiment.data.shape = {10};
    experiment.training.lr = c.lr;
    experiment.training.lr_schedule = LrSchedule::Constant;
    experiment.training.weight_decay = 100;
    experiment.variants = {variantOf(Strategy::Single)};
    const EqualityReport report = reportOf(experiment, c.steps);
    EXPECT_FALSE(report.equal());
    ASSERT_EQ(report.variants.size(), 1u);
    EXPECT_EQ(verdictOf(report.variants.front()), EqualityVerdict::NotFinite) << c.lr;
    EXPECT_EQ(equalityRows(report)[1].back(), "not finite, proves nothing") << c.lr;
    EXPECT_THAT(equalityStatus(report).error().message, HasSubstr(c.advice));
  }
}

TEST(EqualityCheck, ACancelIsNoMismatch) {
  Experiment experiment = checkedExperiment();
  experiment.variants = {variantOf(Strategy::Single)};
  test::CancelAfter cancel(1);
  const auto report = checkEquality(*resolve(experiment), 100000, cancel.control());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, Error::Kind::Cancelled);
  EXPECT_EQ(cancel.seen(), 1);
}

TEST(EqualityCheck, NoStepFollowsTheOneInWhichItWasCancelled) {
  Experiment experiment = checkedExperiment();
  experiment.variants = {variantOf(Strategy::Single), variantOf(Strategy::ModelParallel)};
  test::CancelAfter cancel(4);  // the reference begun and done, the lanes begun, their first step
  const auto report = checkEquality(*resolve(experiment), 3, cancel.control());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().kind, Error::Kind::Cancelled);
  EXPECT_EQ(cancel.seen(), 4);
}

TEST(TensorComparison, NamesTheTensorFarthestOff) {
  const TensorMap wanted = {{"a", at::ones({100})}, {"b", at::ones({100})}, {"c", at::ones({100})}};
  TensorMap actual = {{"a", at::ones({100})}, {"b", at::full({100}, 1.25)}, {"c", at::full({100}, 1.125)}};
  const GroupEquality group = compareMaps("parameters", actual, wanted);
  EXPECT_EQ(group.tensors, 3);
  EXPECT_EQ(group.bitwise, 1);
  EXPECT_EQ(group.worst, "b");
  EXPECT_DOUBLE_EQ(group.worst_difference, 0.25);
}

TEST(TensorComparison, OneBitIsADifference) {
  const float next = std::nextafter(1.0f, 2.0f);
  const GroupEquality group = compareMaps("parameters", {{"a", at::full({1}, next)}}, {{"a", at::ones({1})}});
  EXPECT_EQ(group.bitwise, 0);
  EXPECT_GT(group.worst_difference, 0);
  EXPECT_LT(group.worst_difference, 2e-7);
}

TEST(TensorComparison, WhatOneSideLacksOrIsNotFiniteIsInfinitelyFar) {
  const double infinity = std::numeric_limits<double>::infinity();
  const TensorMap none, one = {{"a", at::ones({2})}};
  EXPECT_EQ(compareMaps("buffers", none, one).problem, "a is missing in the variant");
  EXPECT_EQ(compareMaps("buffers", one, none).problem, "a is missing in the reference");
  EXPECT_EQ(compareMaps("buffers", {{"a", at::full({2}, std::nan(""))}}, one).worst_difference, infinity);
  EXPECT_EQ(compareMaps("buffers", {{"a", at::ones({3})}}, one).worst_difference, infinity);
  EXPECT_EQ(compareLosses({1.0}, {1.0, 2.0}).problem, "loss of step 2 is missing in the variant");
}

TEST(TensorComparison, WhatIsNotFiniteIsNamedUnlessItBeganSo) {
  const double infinity = std::numeric_limits<double>::infinity();
  const at::Tensor good = at::ones({2}), lost = at::full({2}, std::nan("")), mask = at::full({2}, -infinity);
  EXPECT_EQ(firstNotFinite({{"a", good}, {"b", lost}, {"c", mask}}), "b");
  EXPECT_EQ(firstNotFinite({{"a", good}, {"mask", mask}}), "mask");
  EXPECT_EQ(firstNotFinite({{"a", good}, {"mask", mask}}, {{"a", good}, {"mask", mask}}), "");
  EXPECT_EQ(firstNotFinite({{"a", lost}}, {{"a", good}}), "a");
  EXPECT_EQ(firstNotFinite({{"count", at::ones({1}, at::kLong)}}), "");
}

TEST(TensorComparison, ATensorThatRoundingMovesFarIsComparedWithThat) {
  const TensorMap wanted = {{"noise", at::full({4}, 1e-9)}, {"small", at::full({4}, 1e-9)}, {"large", at::ones({4})}};
  const struct {
    const char* name;
    double actual, bound, difference;
    bool rounding;
  } cases[] = {
      {"noise", -3e-9, 8e-9 * 2, 0.5e-3, true},  // 8e-9 off, and rounding may move it by 16e-9
      {"noise", 1e-7, 1e-9 * 2, 0.099, true},    // far beyond its bound
      {"small", 1.1e-9, 1e-14, 0.1, false},      // small, but right to seven digits
      {"large", 1.002, 1e-4, 0.002, false},
      {"large", 1.0005, 1.0, 0.0005, false},  // within the tolerance without it
  };
  for (const auto& c : cases) {
    const GroupEquality group = compareMaps("gradients", {{c.name, at::full({4}, c.actual)}},
                                            {{c.name, wanted.at(c.name)}}, {1e-3, {{c.name, c.bound}}});
    EXPECT_NEAR(group.worst_difference, c.difference, 0.01 * c.difference) << c.name << ' ' << c.actual;
    EXPECT_EQ(group.rounding.size(), c.rounding ? 1u : 0u) << c.name << ' ' << c.actual;
  }
}

TEST(TensorComparison, StepsCountFromOneForReaders) {
  EXPECT_EQ(compareLosses({1.0, 2.0}, {1.5, 2.0}).worst, "loss of step 1");
}

TEST(TensorComparison, ATensorOfZerosIsComparedByItsSize) {
  EXPECT_EQ(compareMaps("gradients", {{"a", at::full({4}, 0.5)}}, {{"a", at::zeros({4})}}).worst_difference, 1.0);
}

}  // namespace
}  // namespace lanelab
