// SPDX-License-Identifier: GPL-3.0-only
// Networks of tokens train on lanes as they do undivided, bit for bit: from a text to logits and their cross entropy,
// and networks that give their loss.
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <thread>

#include "engine/torch/train/reference_training.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/torch/token_world.h"

namespace lanelab {
namespace {

constexpr int kTokenBatch = 8, kTokenSteps = 30, kTokenSplit = 3;

std::string poem() {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "the lanes are busy, the lanes are full;\n";
  return text;
}

/// One thread, whole micro-batches in order, or the chunks of replicas.
PlainResult trainUndivided(const Experiment& experiment, const ModelSpec& spec, const PlainOrder& order) {
  PlainResult result;
  std::thread([&] {
    at::set_num_threads(1);
    result = trainPlainly(experiment, spec, *test::tokenInputs(experiment, spec), order, {});
  }).join();
  return result;
}

struct Trial {
  const char* name;
  Strategy strategy;
  std::map<std::string, int> placement;
  Loss loss;
  bool shift = false;
  DataSource source = DataSource::Text;
  std::vector<int> recompute = {};

  friend void PrintTo(const Trial& trial, std::ostream* out) { *out << trial.name; }
};

PlainOrder orderOf(const Trial& trial) {
  if (trial.strategy == Strategy::DataParallel) return {kTokenBatch, 3, /*gathered=*/true};
  return {trial.strategy == Strategy::Pipeline ? kTokenSplit : kTokenBatch};
}

class TokenTrainings : public ::testing::TestWithParam<Trial> {};

TEST_P(TokenTrainings, AreThoseOfTheUndividedNetwork) {
  const Trial& trial = GetParam();
  const test::TemporaryFolder folder;
  const std::string path = folder.write("poem.txt", poem());
  Experiment experiment = test::tokens(kTokenBatch, kTokenSteps, trial.source, path);
  experiment.training.loss = trial.loss;
  experiment.training.loss_shift = trial.shift;
  const ModelSpec spec = test::tokenModel(trial.loss == Loss::Output);
  VariantConfig variant;
  variant.name = trial.name;
  variant.strategy = trial.strategy;
  if (trial.strategy == Strategy::Pipeline)
    variant = variantOf(experiment, {trial.name, trial.strategy, ScheduleKind::OneFOneB, kTokenSplit, trial.placement});
  if (!trial.recompute.empty()) variant.recompute = trial.recompute;
  const Trained trained = test::trainTokens(experiment, spec, variant);
  const PlainResult wanted = trainUndivided(experiment, spec, orderOf(trial));
  EXPECT_EQ(trained.outcome.losses, wanted.losses);
  if (trial.source == DataSource::Text) {
    EXPECT_LT(wanted.losses.back(), 0.8 * wanted.losses.front()) << "it learns";
  }
  expectSame(trained.weights, wanted.weights, trial.name);
  expectSame(trained.gradients, wanted.gradients, trial.name);
}

const std::map<std::string, int> kTwoLanes{{"net1", 0}, {"net2", 1}}, kOneLane{{"net1", 0}};

INSTANTIATE_TEST_SUITE_P(
    All, TokenTrainings,
    ::testing::Values(
        Trial{"single", Strategy::Single, {}, Loss::CrossEntropy},
        Trial{"one_lane_in_micro_batches", Strategy::Pipeline, kOneLane, Loss::CrossEntropy},
        Trial{"two_lanes", Strategy::Pipeline, kTwoLanes, Loss::CrossEntropy},
        Trial{"three_lanes_recompute",
              Strategy::Pipeline,
              {{"net1", 0}, {"relu", 1}, {"net2", 2}},
              Loss::CrossEntropy,
              false,
              DataSource::Text,
              {0, 1, 2}},
        Trial{"random_tokens", Strategy::Pipeline, kTwoLanes, Loss::CrossEntropy, false, DataSource::Random},
        Trial{"random_tokens_shifted", Strategy::Pipeline, kTwoLanes, Loss::CrossEntropy, true, DataSource::Random},
        Trial{"data_parallel", Strategy::DataParallel, {}, Loss::CrossEntropy},
        Trial{"loss_of_the_network", Strategy::Single, {}, Loss::Output},
        Trial{"loss_of_the_network_on_two_lanes", Strategy::Pipeline, kTwoLanes, Loss::Output},
        Trial{"loss_of_the_network_in_data_parallel", Strategy::DataParallel, {}, Loss::Output}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(TokenTraining, OnOneLaneAndOnTwoGivesTheSameLosses) {
  const test::TemporaryFolder folder;
  const Experiment experiment =
      test::tokens(kTokenBatch, kTokenSteps, DataSource::Text, folder.write("poem.txt", poem()));
  const auto losses = [&](const std::map<std::string, int>& placement) {
    const Case pipeline{"Pipeline", Strategy::Pipeline, ScheduleKind::Gpipe, kTokenSplit, placement};
    return test::trainTokens(experiment, test::tokenModel(), variantOf(experiment, pipeline)).outcome.losses;
  };
  EXPECT_EQ(losses(kOneLane), losses(kTwoLanes));
}

TEST(TokenEpochs, CountTheTokensThatArePredicted) {
  const test::TemporaryFolder folder;
  Experiment experiment = test::tokens(kTokenBatch, kTokenSteps, DataSource::Text, folder.write("poem.txt", poem()));
  const ModelSpec spec = test::tokenModel();
  const VariantConfig variant =
      variantOf(experiment, {"", Strategy::Pipeline, ScheduleKind::Gpipe, kTokenSplit, kTwoLanes});
  TrainingInputs inputs = *test::tokenInputs(experiment, spec);
  inputs.weights = test::trainTokens(experiment, spec, variant).weights;
  const std::int64_t rows = inputs.data.size();
  experiment.training.lr = 0;  // so that the weights before are those after
  experiment.data.epochs = 1;
  experiment.data.steps = stepsAnEpoch(experiment.data, rows);
  const Trained trained = test::trainTokens(experiment, spec, variant, std::make_shared<const TrainingInputs>(inputs));
  ASSERT_EQ(trained.outcome.epochs.size(), 1u);
  const at::NoGradGuard no_grad;
  test::TokenModule whole(0, 3, false);
  installWeights(whole.slots(), inputs.weights, at::kCPU, at::MemoryFormat::Contiguous);
  const Samples all = inputs.data.rows(0, rows);
  const at::Tensor output = whole.forward({all.inputs}, false, nullptr).front();
  const auto right = countCorrect(Loss::CrossEntropy, output, all.targets).item<std::int64_t>();
  ASSERT_GT(right, rows) << "more than one of a row: the share is of tokens";
  EXPECT_NEAR(trained.outcome.epochs[0].accuracy.value(),
              static_cast<double>(right) / static_cast<double>(rows * test::kTokens), 1e-12);
  EXPECT_EQ(trained.outcome.epochs[0].validation_accuracy, std::nullopt);
}

TEST(TokenEpochs, KnowNoAccuracyWhereTheNetworkGivesItsLoss) {
  const test::TemporaryFolder folder;
  Experiment experiment = test::tokens(kTokenBatch, 10, DataSource::Text, folder.write("poem.txt", poem()));
  experiment.training.loss = Loss::Output;
  experiment.data.epochs = 1;
  VariantConfig single;
  single.name = "Single";
  const Trained trained = test::trainTokens(experiment, test::tokenModel(true), single);
  ASSERT_EQ(trained.outcome.epochs.size(), 1u);
  EXPECT_GT(trained.outcome.epochs[0].loss, 0);
  EXPECT_EQ(trained.outcome.epochs[0].accuracy, std::nullopt);
}

}  // namespace
}  // namespace lanelab
