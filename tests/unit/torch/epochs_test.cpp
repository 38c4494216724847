// SPDX-License-Identifier: GPL-3.0-only
// Training by epochs: what is counted as learnt, and that a pipeline learns as the plain loop does.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/eq.h>

#include "engine/record/training_length.h"
#include "engine/torch/train/equality_check.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/whole_network.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

Experiment digits(int epochs) {
  Experiment experiment = resNet18(300, 1);
  experiment.data.source = DataSource::Digits;
  experiment.data.shape = {3, 8, 8};
  experiment.data.epochs = epochs;
  experiment.data.steps = 5 * epochs;
  experiment.data.shuffle = true;
  experiment.training.loss = Loss::CrossEntropy;
  experiment.training.lr = 0.02;
  experiment.training.momentum = 0.9;
  return experiment;
}

/// Of a network that hardly learns them, for what does not depend on it.
Experiment digitsForNarrow(int epochs) {
  Experiment experiment = digits(epochs);
  const Experiment narrow = narrowResNet18(1, 1);
  experiment.model = narrow.model;
  experiment.data.shape = narrow.data.shape;
  return experiment;
}

VariantConfig pipelineOf(const Experiment& experiment) {
  return variantOf(experiment,
                   {"Pipeline", Strategy::Pipeline, ScheduleKind::OneFOneB, 100, {{"stem", 0}, {"layer2.0", 1}}});
}

/// Right answers of the whole network in eval mode on all validation rows, one after the other on this thread.
double plainAccuracy(const Experiment& experiment, const TensorMap& weights) {
  const at::NoGradGuard no_grad;
  const auto network = test::wholeOf(test::modelIn(experiment), weights, imageFormat(experiment.training));
  const Dataset data = Dataset::load(experiment, test::modelIn(experiment)).value();
  const Samples all = data.validationRows(0, data.validationSize());
  const at::Tensor x = network->forward({all.inputs}, /*training=*/false, nullptr).front();
  return at::eq(at::argmax(x, 1), all.targets).to(at::kDouble).mean().item<double>();
}

TEST(Epochs, GiveTheAccuracyOfTheWeightsAfterThem) {
  const Experiment experiment = digits(2);
  const auto session = openSession(experiment, pipelineOf(experiment));
  std::vector<int> reported;
  const RepeatOutcome outcome =
      session->runRepeat({.on_epoch = [&](int epoch, const EpochResult&) { reported.push_back(epoch); }});
  ASSERT_TRUE(outcome.failure.ok()) << outcome.failure.error().message;
  EXPECT_EQ(reported, (std::vector<int>{0, 1}));
  ASSERT_EQ(outcome.epochs.size(), 2u);
  ASSERT_EQ(outcome.losses.size(), 10u);
  const TensorMap weights = session->gather(TorchSession::Which::Weights).value();
  EXPECT_NEAR(outcome.epochs[1].validation_accuracy.value(), plainAccuracy(experiment, weights), 1e-12);
  EXPECT_GT(outcome.epochs[1].accuracy.value(), outcome.epochs[0].accuracy.value());
  EXPECT_GT(outcome.epochs[1].accuracy.value(), 0.4);
  double loss = 0;
  for (int step = 0; step < 5; ++step)
    loss += outcome.losses[static_cast<std::size_t>(step)] * (step == 4 ? 237 : 300) / 1437.0;
  EXPECT_NEAR(outcome.epochs[0].loss, loss, 1e-9);
}

TEST(Epochs, ValidationLeavesTheTrainingAlone) {
  Experiment experiment = digitsForNarrow(1);
  experiment.data.batch = 479;  // a third of the rows, so that steps and epochs take the same
  experiment.data.steps = 3;
  const Trained with = train(experiment, pipelineOf(experiment));
  EXPECT_EQ(with.outcome.epochs.size(), 1u);
  experiment.data.epochs.reset();
  const Trained without = train(experiment, pipelineOf(experiment));
  EXPECT_TRUE(without.outcome.epochs.empty());
  expectSame(with.weights, without.weights, "weights");
  EXPECT_EQ(with.outcome.losses, without.outcome.losses);
}

TEST(Epochs, AreTheSameWithoutAStepBarrier) {
  Experiment experiment = digitsForNarrow(2);
  const Trained together = train(experiment, pipelineOf(experiment));
  experiment.training.step_barrier = false;
  const Trained alone = train(experiment, pipelineOf(experiment));
  EXPECT_EQ(alone.outcome.epochs, together.outcome.epochs);
  EXPECT_EQ(alone.outcome.losses, together.outcome.losses);
  expectSame(alone.weights, together.weights, "weights");
}

TEST(Epochs, ThePipelineEqualsThePlainLoopThroughTheSmallerLastBatch) {
  Experiment experiment = digitsForNarrow(1);
  experiment.data.batch = 1000;
  experiment.variants = {pipelineOf(experiment)};
  experiment.variants[0].split_size = 300;
  const Result<EqualityReport> report = checkEquality(*resolve(experiment), 2, {});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->equal());
}

TEST(Epochs, CountTheStepsOfTheData) {
  const Experiment experiment = digits(3);
  const auto executor = makeTorchExecutor();
  const auto resolution = resolve(experiment)->with(pipelineOf(experiment));
  const Result<TrainingLength> length = trainingLength(*resolution, *executor);
  ASSERT_TRUE(length.ok()) << length.error().message;
  EXPECT_EQ(length->steps, 15);
  EXPECT_EQ(length->samples, 3 * 1437);
  EXPECT_EQ(length->samples_per_step, (std::vector<int>{300, 300, 300, 300, 237}));
}

TEST(Epochs, ALastBatchBelowTheMicroBatchesIsRefused) {
  Experiment experiment = digits(1);
  experiment.data.batch = 359;  // 1437 = 4 x 359 + 1
  const auto executor = makeTorchExecutor();
  const auto resolution = resolve(experiment)->with(pipelineOf(experiment));
  const Result<TrainingLength> length = trainingLength(*resolution, *executor);
  ASSERT_FALSE(length.ok());
  EXPECT_NE(length.error().message.find("ends in a batch of 1"), std::string::npos) << length.error().message;
}

}  // namespace
}  // namespace lanelab
