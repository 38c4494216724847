// SPDX-License-Identifier: GPL-3.0-only
// Replicas of a network of tokens against copies of it that go through their rows one after the other.
#include <ATen/Parallel.h>

#include <thread>

#include "engine/dist/run_processes.h"
#include "engine/torch/train/reference_training.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/torch/token_world.h"

namespace lanelab {
namespace {

class TokenReplicas : public ::testing::TestWithParam<Loss> {};

TEST_P(TokenReplicas, OfTwoLanesAreEqualBitwise) {
  Experiment experiment = test::tokens(8, 5);
  experiment.training.loss = GetParam();
  experiment.lanes.resize(2);
  const ModelSpec spec = test::tokenModel(GetParam() == Loss::Output);
  VariantConfig variant;
  variant.name = "ddp";
  variant.strategy = Strategy::Ddp;
  variant.split_size = 3;  // of 4 rows each
  const auto inputs = test::tokenInputs(experiment, spec);
  const Trained trained = test::trainTokens(experiment, spec, variant, inputs, peersOfLanes());
  PlainResult wanted;
  std::thread([&] {
    at::set_num_threads(1);
    wanted = trainPlainly(experiment, spec, *inputs, {.split_size = 3, .replicas = 2}, {});
  }).join();
  EXPECT_EQ(trained.outcome.losses, wanted.losses);
  expectSame(trained.weights, wanted.weights, "ddp");
}

INSTANTIATE_TEST_SUITE_P(Losses, TokenReplicas, ::testing::Values(Loss::CrossEntropy, Loss::Output),
                         [](const auto& loss) { return toWord(loss.param); });

TEST(TokenReplicas, ClipTheGradientsThatTheyAllHave) {
  Experiment experiment = test::tokens(8, 4);
  experiment.lanes.resize(2);
  experiment.training.clip_grad_norm = 0.01;
  const ModelSpec spec = test::tokenModel();
  VariantConfig variant;
  variant.name = "ddp";
  variant.strategy = Strategy::Ddp;
  variant.split_size = 3;
  const auto inputs = test::tokenInputs(experiment, spec);
  const Trained trained = test::trainTokens(experiment, spec, variant, inputs, peersOfLanes());
  PlainResult wanted;
  std::thread([&] {
    at::set_num_threads(1);
    wanted = trainPlainly(experiment, spec, *inputs, {.split_size = 3, .replicas = 2}, {});
  }).join();
  EXPECT_EQ(trained.outcome.losses, wanted.losses);
  expectSame(trained.weights, wanted.weights, "ddp");
  double squares = 0;
  for (const auto& [name, gradient] : trained.gradients) squares += gradient.square().sum().item<double>();
  EXPECT_NEAR(squares, 1e-4, 1e-8);
}

TEST(TokenReplicas, WithPaddingHaveTheLossAndTheGradientsOfTheWholeBatch) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/rows.safetensors";
  test::writePaddedTokens(path);
  Experiment experiment = test::tokens(test::kPaddedBatch, 1, DataSource::File, path);
  experiment.lanes.resize(2);
  const ModelSpec spec = test::tokenModel();
  VariantConfig variant;
  variant.name = "ddp";
  variant.strategy = Strategy::Ddp;
  variant.split_size = 2;  // of rows 0, 2, 4, 6 and 1, 3, 5, 7: the first replica begins without a target
  const auto inputs = test::tokenInputs(experiment, spec);
  const Trained trained = test::trainTokens(experiment, spec, variant, inputs, peersOfLanes());
  const test::WholeBatch whole = test::wholeBatch(*inputs, false);
  EXPECT_NEAR(trained.outcome.losses.at(0), whole.loss, 1e-6);
  test::expectClose(trained.gradients, whole.gradients);
}

}  // namespace
}  // namespace lanelab
