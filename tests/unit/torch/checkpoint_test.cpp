// SPDX-License-Identifier: GPL-3.0-only
// A repeat that goes on from a checkpoint ends in the same bits as one that was never stopped.
#include "engine/torch/files/checkpoint.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <gmock/gmock.h>

#include "engine/torch/files/tensor_file.h"
#include "tests/unit/torch/data_world.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;

struct Stopped {
  Trained trained;
  std::vector<int> reported;
};

/// Stops after `steps` steps in one session, goes on in another.
Stopped stoppedAndResumed(const Experiment& experiment, const VariantConfig& variant, const std::string& path,
                          int steps, int every) {
  {
    const auto session = openSession(experiment, variant);
    std::stop_source stop;
    const auto on_step = [&](int step, double, double) {
      if (step + 1 == steps) stop.request_stop();
    };
    const RepeatRequest request{.on_step = on_step, .checkpoints = {path, every, 3, false}, .stop = stop.get_token()};
    EXPECT_EQ(session->runRepeat(request).failure.error().kind, Error::Kind::Cancelled);
  }
  const auto session = openSession(experiment, variant);
  Stopped stopped;
  stopped.trained.outcome =
      session->runRepeat({.on_step = [&](int step, double, double) { stopped.reported.push_back(step); },
                          .checkpoints = {path, every, 3, true}});
  EXPECT_TRUE(stopped.trained.outcome.failure.ok()) << stopped.trained.outcome.failure.error().message;
  stopped.trained.weights = session->gather(TorchSession::Which::Weights).value();
  stopped.trained.gradients = session->gather(TorchSession::Which::Gradients).value();
  return stopped;
}

void expectSameTraining(const Trained& actual, const Trained& wanted, const std::string& what) {
  expectSame(actual.weights, wanted.weights, what + " weights");
  expectSame(actual.gradients, wanted.gradients, what + " gradients");
  EXPECT_EQ(actual.outcome.losses, wanted.outcome.losses) << what;
  EXPECT_EQ(actual.outcome.epochs, wanted.outcome.epochs) << what;
}

VariantConfig singleOf(int split_size) {
  VariantConfig variant;
  variant.name = "Single";
  variant.strategy = Strategy::Single;
  variant.split_size = split_size;
  return variant;
}

TEST(Checkpoint, LeadsToTheSameBitsWithoutAStepBarrier) {
  const test::TemporaryFolder folder;
  Experiment experiment = narrowResNet18(4, 7);
  experiment.training.momentum = 0.9;
  const VariantConfig variant = variantOf(
      experiment, {"Pipeline", Strategy::Pipeline, ScheduleKind::OneFOneB, 2, {{"stem", 0}, {"layer2.0", 1}}});
  const Trained together = train(experiment, variant);
  experiment.training.step_barrier = false;
  const Stopped stopped = stoppedAndResumed(experiment, variant, folder.path() + "/alone", 5, 3);
  EXPECT_EQ(stopped.reported, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
  expectSameTraining(stopped.trained, together, "without a barrier");
}

TEST(Checkpoint, OfEveryOptimizerLeadsToTheSameBits) {
  const test::TemporaryFolder folder;
  TrainingConfig plain, momentum, nesterov, adam;
  momentum.momentum = nesterov.momentum = 0.9;
  momentum.weight_decay = adam.weight_decay = 0.01;
  nesterov.nesterov = true;
  nesterov.lr_schedule = LrSchedule::Cosine;
  adam.optimizer = OptimizerKind::Adam;
  int number = 0;
  for (TrainingConfig training : {plain, momentum, nesterov, adam}) {
    Experiment experiment = narrowResNet18(4, 5);
    training.lr = training.optimizer == OptimizerKind::Adam ? 0.001 : 0.01;
    experiment.training = training;
    const VariantConfig variant = variantOf(
        experiment,
        {"Pipeline", Strategy::Pipeline, ScheduleKind::OneFOneB, 2, {{"stem", 0}, {"layer2.0", 1}, {"layer4.0", 0}}});
    const Stopped stopped =
        stoppedAndResumed(experiment, variant, folder.path() + "/" + std::to_string(number++), 3, 2);
    EXPECT_EQ(stopped.reported, (std::vector<int>{0, 1, 2, 3, 4}));
    expectSameTraining(stopped.trained, train(experiment, variant),
                       toWord(training.optimizer) + std::to_string(number));
  }
}

TEST(Checkpoint, OfAnEpochGoesOnWithTheSameRowsAndAccuracies) {
  const test::TemporaryFolder folder;
  Experiment experiment = experimentOn(DataSource::Digits, {3, 8, 8});
  experiment.model.arch = "linear";
  experiment.data.batch = 500;
  experiment.data.epochs = 3;
  experiment.data.steps = 9;
  experiment.data.shuffle = true;
  experiment.training.momentum = 0.9;
  experiment.record = RecordMode::Off;
  const VariantConfig variant = singleOf(500);
  const Stopped stopped = stoppedAndResumed(experiment, variant, folder.path() + "/checkpoint", 7, 3);
  const Trained whole = train(experiment, variant);
  ASSERT_EQ(whole.outcome.epochs.size(), 3u);
  expectSameTraining(stopped.trained, whole, "digits");
}

TEST(Checkpoint, OfAnotherRepeatIsLeftAlone) {
  const test::TemporaryFolder folder;
  const Experiment experiment = toy(8, 2);
  const VariantConfig variant = singleOf(8);
  const std::string path = folder.path() + "/checkpoint";
  ASSERT_TRUE(writeCheckpoint(path, {2, {1.0}, {0.5}, {}, {}}).ok());
  const auto session = openSession(experiment, variant);
  const RepeatOutcome outcome = session->runRepeat({.checkpoints = {path, 0, 1, true}});
  ASSERT_TRUE(outcome.failure.ok()) << outcome.failure.error().message;
  EXPECT_EQ(outcome.losses, train(experiment, variant).outcome.losses);
}

TEST(Checkpoint, ThatIsDamagedOrOfAnotherModelSaysSo) {
  const test::TemporaryFolder folder;
  const Experiment experiment = toy(8, 2);
  const auto session = openSession(experiment, singleOf(8));
  const auto failureWith = [&](const std::string& path) {
    const RepeatOutcome outcome = session->runRepeat({.checkpoints = {path, 0, 0, true}});
    return outcome.failure.ok() ? std::string() : outcome.failure.error().message;
  };
  EXPECT_THAT(failureWith(folder.write("half", "half a file")),
              HasSubstr("Remove it to start the repeat from scratch"));
  ASSERT_TRUE(writeCheckpoint(folder.path() + "/empty", {0, {1.0}, {0.5}, {}, {}}).ok());
  EXPECT_THAT(failureWith(folder.path() + "/empty"), HasSubstr("does not fit the model at net1.weight"));
}

bool sameCheckpoint(const Checkpoint& a, const Checkpoint& b) {
  if (a.repeat != b.repeat || a.step_seconds != b.step_seconds || a.losses != b.losses || a.epochs != b.epochs ||
      a.state.size() != b.state.size())
    return false;
  for (std::size_t i = 0; i < a.state.size(); ++i)
    if (a.state[i].first != b.state[i].first || !at::equal(a.state[i].second, b.state[i].second)) return false;
  return true;
}

TEST(Checkpoint, DamagedAtTwoHundredPlacesIsAnErrorOrTheSameBits) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/checkpoint";
  const Checkpoint written{1,
                           {1.0, 2.0},
                           {0.5, 0.25},
                           {{0.5, 0.75, std::nullopt, std::nullopt, 1}},
                           {{"a.bias", at::arange(20, at::kFloat)},
                            {"a.weight", at::arange(300, at::kFloat).view({30, 10})},
                            {"empty", at::arange(0)}}};
  ASSERT_TRUE(writeCheckpoint(path, written).ok());
  const std::string whole = test::contentOf(path);
  const Result<Checkpoint> read = readCheckpoint(path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_TRUE(sameCheckpoint(*read, written));
  constexpr int kPlaces = 200;
  for (int place = 0; place < kPlaces; ++place) {
    const std::size_t at = whole.size() * static_cast<std::size_t>(place) / kPlaces;
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << place % 8));
    for (const std::string& damaged : {flipped, whole.substr(0, at)}) {
      const Result<Checkpoint> some = readCheckpoint(folder.write("damaged", damaged));
      if (some.ok()) {
        EXPECT_TRUE(sameCheckpoint(*some, written)) << "place " << at;
      } else {
        EXPECT_EQ(some.error().kind, Error::Kind::BadInput);
        EXPECT_THAT(some.error().message, HasSubstr("Remove it to start the repeat from scratch"));
      }
    }
  }
}

TEST(Checkpoint, WithoutAChecksumIsReadAsBefore) {
  const test::TemporaryFolder folder;
  const std::string path = folder.path() + "/old";
  const at::Tensor one = at::full({1}, 1, at::kDouble), none = at::full({0}, 0, at::kDouble);
  ASSERT_TRUE(writeSafetensors(path, {{"run/repeat", one},
                                      {"run/step_seconds", one},
                                      {"run/losses", one},
                                      {"run/epochs", none},
                                      {"w", at::arange(3)}})
                  .ok());
  const Result<Checkpoint> read = readCheckpoint(path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->repeat, 1);
  EXPECT_EQ(read->state.size(), 1u);
}

}  // namespace
}  // namespace lanelab
