// SPDX-License-Identifier: GPL-3.0-only
// Targets of -100 are left out, and every other one has the same weight, however a batch is split.
#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <thread>

#include "engine/torch/train/equality_check.h"
#include "engine/torch/train/reference_training.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/whole_network.h"
#include "tests/unit/torch/token_world.h"

namespace lanelab {
namespace {

PlainResult trainUndividedPadded(const Experiment& experiment, const ModelSpec& spec,
                                 const std::shared_ptr<const TrainingInputs>& inputs, const PlainOrder& order) {
  PlainResult result;
  std::thread([&] {
    at::set_num_threads(1);
    result = trainPlainly(experiment, spec, *inputs, order, {});
  }).join();
  return result;
}

const std::map<std::string, int> kPaddedLanes{{"net1", 0}, {"net2", 1}};

struct PaddedTrial {
  const char* name;
  Strategy strategy;
  ScheduleKind schedule = ScheduleKind::Gpipe;
  int split_size = test::kPaddedBatch;
  bool shift = false;
  double smoothing = 0;

  friend void PrintTo(const PaddedTrial& trial, std::ostream* out) { *out << trial.name; }
};

PlainOrder orderOfPadded(const PaddedTrial& trial) {
  if (trial.strategy == Strategy::DataParallel) return {test::kPaddedBatch, 3, /*gathered=*/true};
  return {trial.split_size};
}

class PaddedTargets : public ::testing::TestWithParam<PaddedTrial> {};

TEST_P(PaddedTargets, GiveTheLossAndTheGradientsOfTheWholeBatch) {
  const PaddedTrial& trial = GetParam();
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/rows.safetensors";
  test::writePaddedTokens(path);
  Experiment experiment = test::tokens(test::kPaddedBatch, 1, DataSource::File, path);
  experiment.training.loss_shift = trial.shift;
  experiment.training.label_smoothing = trial.smoothing;
  const ModelSpec spec = test::tokenModel();
  VariantConfig variant;
  variant.name = trial.name;
  variant.strategy = trial.strategy;
  if (trial.strategy == Strategy::Pipeline)
    variant = variantOf(experiment, {trial.name, trial.strategy, trial.schedule, trial.split_size, kPaddedLanes});
  const auto inputs = test::tokenInputs(experiment, spec);
  const Trained trained = test::trainTokens(experiment, spec, variant, inputs);
  const test::WholeBatch whole = test::wholeBatch(*inputs, trial.shift, trial.smoothing);
  EXPECT_NEAR(trained.outcome.losses.at(0), whole.loss, 1e-6);
  test::expectClose(trained.gradients, whole.gradients);

  const PlainResult reference = trainUndividedPadded(experiment, spec, inputs, orderOfPadded(trial));
  EXPECT_EQ(trained.outcome.losses, reference.losses);
  expectSame(trained.gradients, reference.gradients, "as the reference, bit for bit");
  expectSame(trained.weights, reference.weights, "as the reference, bit for bit");
}

INSTANTIATE_TEST_SUITE_P(
    All, PaddedTargets,
    ::testing::Values(PaddedTrial{"single", Strategy::Single}, PaddedTrial{"data_parallel", Strategy::DataParallel},
                      PaddedTrial{"by_one", Strategy::Pipeline, ScheduleKind::Gpipe, 1},
                      PaddedTrial{"by_three", Strategy::Pipeline, ScheduleKind::OneFOneB, 3},
                      PaddedTrial{"by_two_with_split_backwards", Strategy::Pipeline, ScheduleKind::ZbH1, 2},
                      PaddedTrial{"shifted_by_three", Strategy::Pipeline, ScheduleKind::Gpipe, 3, true},
                      PaddedTrial{"shifted_single", Strategy::Single, ScheduleKind::Gpipe, 8, true},
                      PaddedTrial{"smoothed_by_three", Strategy::Pipeline, ScheduleKind::OneFOneB, 3, false, 0.1},
                      PaddedTrial{"smoothed_data_parallel", Strategy::DataParallel, ScheduleKind::Gpipe, 8, true, 0.2}),
    [](const auto& named) { return std::string(named.param.name); });

/// Images of a number each, classes of which some are padding.
Experiment paddedClassesIn(const std::string& path, std::vector<std::int64_t> targets) {
  const auto rows = static_cast<std::int64_t>(targets.size());
  const at::Tensor classes = at::tensor(targets, at::TensorOptions().dtype(at::kLong));
  EXPECT_TRUE(writeSafetensors(path, {{"inputs", at::randn({rows, 10})},
                                      {"targets", classes},
                                      {"validation_inputs", at::randn({rows, 10})},
                                      {"validation_targets", classes}})
                  .ok());
  Experiment experiment = toy(static_cast<int>(rows), 2);
  experiment.data.source = DataSource::File;
  experiment.data.path = path;
  experiment.training.loss = Loss::CrossEntropy;
  return experiment;
}

VariantConfig splitClasses(const Experiment& experiment, int split_size) {
  return variantOf(experiment, {"Split", Strategy::Pipeline, ScheduleKind::Gpipe, split_size, {{"net1", 0}}});
}

TEST(PaddedClasses, PassTheCheckAgainstASingleDevice) {
  const test::TemporaryFolder folder;
  Experiment experiment = paddedClassesIn(folder.path() + "/c.safetensors", {-100, -100, 1, 4, -100, 0, 2, 3});
  experiment.variants = {splitClasses(experiment, 2), splitClasses(experiment, 3), splitClasses(experiment, 8)};
  experiment.variants[1].name = "by three";
  experiment.variants[2].name = "whole";
  const Result<EqualityReport> report = checkEquality(*resolve(experiment), 2, {});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->equal());
}

TEST(PaddedClasses, GiveTheSameLossesForEverySplit) {
  const test::TemporaryFolder folder;
  const Experiment experiment = paddedClassesIn(folder.path() + "/c.safetensors", {-100, -100, 1, 4, -100, 0, 2, 3});
  const Trained whole = train(experiment, splitClasses(experiment, 8));
  for (const int split_size : {1, 2, 3, 5}) {
    const Trained split = train(experiment, splitClasses(experiment, split_size));
    for (std::size_t step = 0; step < 2; ++step)
      EXPECT_NEAR(split.outcome.losses[step], whole.outcome.losses[step], 1e-6) << split_size;
    test::expectClose(split.weights, whole.weights);
  }
}

TEST(PaddedClasses, CountInNoAccuracyAndNoValidationLoss) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/c.safetensors";
  Experiment experiment = paddedClassesIn(path, {-100, 3, 1, -100, 4, 0});
  experiment.data.epochs = 1;
  experiment.data.steps = 1;
  experiment.training.lr = 0;
  const Trained trained = train(experiment, splitClasses(experiment, 2));
  ASSERT_EQ(trained.outcome.epochs.size(), 1u);
  const EpochResult& epoch = trained.outcome.epochs[0];

  const auto data = readSafetensors(path);
  const auto outputOf = [&](const std::string& rows) {
    const auto network = test::wholeOf(test::modelIn(experiment), trained.weights, at::MemoryFormat::Contiguous);
    return network->forward({data->at(rows)}, /*training=*/false, nullptr).front().detach();
  };
  const auto right = [&](const at::Tensor& output, const std::string& targets) {
    return static_cast<double>((output.argmax(1) == data->at(targets)).sum().item<std::int64_t>()) / 4;
  };
  const at::Tensor output = outputOf("inputs"), validated = outputOf("validation_inputs");
  EXPECT_DOUBLE_EQ(epoch.accuracy.value(), right(output, "targets"));
  EXPECT_DOUBLE_EQ(epoch.validation_accuracy.value(), right(validated, "validation_targets"));
  EXPECT_NEAR(epoch.loss, at::cross_entropy_loss(output, data->at("targets")).item<double>(), 1e-6);
  EXPECT_NEAR(epoch.validation_loss.value(),
              at::cross_entropy_loss(validated, data->at("validation_targets")).item<double>(), 1e-6);
}

TEST(PaddedClasses, WithoutATargetInABatchTheLossIsNoNumberAndNothingMovesAsInPyTorch) {
  const test::TemporaryFolder folder;
  const Experiment experiment = paddedClassesIn(folder.path() + "/c.safetensors", {-100, -100, -100, -100});
  for (const int split_size : {4, 2}) {
    const Trained trained = train(experiment, splitClasses(experiment, split_size));
    EXPECT_TRUE(std::isnan(trained.outcome.losses.at(0))) << split_size;
    ASSERT_FALSE(trained.gradients.empty());
    for (const auto& [name, gradient] : trained.gradients) EXPECT_EQ(gradient.abs().max().item<float>(), 0) << name;
  }
}

}  // namespace
}  // namespace lanelab
