// SPDX-License-Identifier: GPL-3.0-only
// bf16: explicit bf16 weights and activations, fp32 masters, batch norms and losses.
#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include "engine/torch/files/tensor_file.h"
#include "engine/torch/lanes/master_weights.h"
#include "tests/support/resolved.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/whole_network.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

struct Trains {
  const char* name;
  const char* arch;
  Layout layout;
  BatchNormMode batch_norm;
  int split_size;
};

class Bf16 : public ::testing::TestWithParam<Trains> {};

/// Initial weights whose residual branches end in a batch norm of 0.1: a fresh ResNet grows every rounding, and would
/// test chaos.
void writeDamped(const Experiment& experiment, const std::string& path) {
  const TensorMap weights = test::initialOf(test::modelIn(experiment)).weights;
  const std::string last = experiment.model.arch == "resnet50" ? ".bn3.weight" : ".bn2.weight";
  std::vector<std::pair<std::string, at::Tensor>> named;
  for (const auto& [name, tensor] : weights) named.emplace_back(name, name.ends_with(last) ? tensor.mul(0.1) : tensor);
  ASSERT_TRUE(writeSafetensors(path, named).ok());
}

Experiment experimentOf(const Trains& t) {
  Experiment experiment = std::string(t.arch) == "toy" ? toy(12, 4) : resNet18(12, 2);
  experiment.model.arch = t.arch;
  experiment.training.lr = 0.001;
  experiment.training.layout = t.layout;
  experiment.training.batch_norm = t.batch_norm;
  if (experiment.data.shape.size() == 3) experiment.data.shape = {3, 64, 64};
  return experiment;
}

VariantConfig twoStages(const Experiment& experiment, int split_size) {
  VariantConfig variant;
  variant.strategy = Strategy::Pipeline;
  variant.schedule = ScheduleKind::OneFOneB;
  variant.split_size = split_size;
  variant.cuts = std::vector<std::string>{experiment.data.shape.size() == 1 ? "net2" : "layer3.0"};
  return variant;
}

TEST_P(Bf16, TrainsCloseToFp32) {
  Experiment experiment = experimentOf(GetParam());
  const test::TemporaryFile damped("damped.safetensors");
  experiment.model.weights = damped.path;
  writeDamped(experiment, *experiment.model.weights);
  VariantConfig variant = twoStages(experiment, GetParam().split_size);
  const Trained full = train(experiment, variant);
  variant.precision = Precision::Bf16;
  const Trained half = train(experiment, variant);
  ASSERT_EQ(half.outcome.losses.size(), full.outcome.losses.size());
  for (std::size_t step = 0; step < full.outcome.losses.size(); ++step) {
    EXPECT_NEAR(half.outcome.losses[step] / full.outcome.losses[step], 1, 0.02) << "step " << step;
  }
  EXPECT_NE(half.outcome.losses, full.outcome.losses);
  for (const auto& [name, tensor] : half.weights) {
    EXPECT_EQ(tensor.scalar_type(), full.weights.at(name).scalar_type()) << name << ": masters and statistics are fp32";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Trainings, Bf16,
    ::testing::Values(Trains{"toy", "toy", Layout::Contiguous, BatchNormMode::MicroBatch, 4},
                      Trains{"channels_last", "resnet18", Layout::ChannelsLast, BatchNormMode::MicroBatch, 4},
                      Trains{"contiguous", "resnet18", Layout::Contiguous, BatchNormMode::MicroBatch, 5},
                      Trains{"deferred", "resnet18", Layout::ChannelsLast, BatchNormMode::Deferred, 4},
                      Trains{"synchronised", "resnet18", Layout::ChannelsLast, BatchNormMode::Synchronised, 4},
                      Trains{"bottlenecks", "resnet50", Layout::ChannelsLast, BatchNormMode::MicroBatch, 6}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(Bf16Parts, CutsSchedulesRecomputeAndSplitBackwardsChangeNoBit) {
  Experiment experiment = narrowResNet18(6, 2);
  experiment.training.precision = Precision::Bf16;
  const VariantConfig two =
      variantOf(experiment, {"two", Strategy::Pipeline, ScheduleKind::Gpipe, 2, {{"stem", 0}, {"layer3.0", 1}}});
  const Trained wanted =
      train(experiment, variantOf(experiment, {"one", Strategy::Pipeline, ScheduleKind::Gpipe, 2, {{"stem", 0}}}));
  const auto expectWanted = [&](const Trained& trained, const char* what) {
    expectSame(trained.weights, wanted.weights, what);
    expectSame(trained.gradients, wanted.gradients, what);
    EXPECT_EQ(trained.outcome.losses, wanted.outcome.losses) << what;
  };
  expectWanted(train(experiment, two), "two stages");
  VariantConfig again = two;
  again.recompute = std::vector<int>{0, 1};
  expectWanted(train(experiment, again), "recompute");
  auto parts = parseScheduleCsv("0F0,0F1,0F2,0I0,0W0,0I1,0I2,0W1,0W2\n1F0,1I0,1F1,1I1,1W0,1W1,1F2,1B2");
  ASSERT_TRUE(parts.ok()) << parts.error().message;
  parts->lanes.resize(experiment.lanes.size());
  expectWanted(train(experiment, two, nullptr, *parts), "split backward");
}

TEST(Bf16Parts, WhatCrossesABoundaryIsHalfAsLarge) {
  Experiment experiment = resNet18(16, 1);
  experiment.data.shape = {3, 64, 64};
  const VariantConfig variant =
      variantOf(experiment, {"v", Strategy::Pipeline, ScheduleKind::Gpipe, 4, {{"stem", 0}, {"layer3.0", 1}}});
  const auto full = train(experiment, variant).outcome.peak_bytes;
  experiment.training.precision = Precision::Bf16;
  const auto half = train(experiment, variant).outcome.peak_bytes;
  EXPECT_LT(static_cast<double>(half[0]), 0.65 * static_cast<double>(full[0]))
      << "stem to layer2 are activations mostly";
}

TEST(MasterWeights, TakeStepsThatTheWeightsThemselvesWouldSwallow) {
  at::Tensor weight = at::ones({4}, at::kBFloat16).requires_grad_();
  MasterWeights masters;
  const at::Tensor master = masters.add({"w", SlotTraits{.in_compute_type = true}, {4}, &weight});
  masters.restore({{"w", at::full({4}, 1.001)}});
  EXPECT_TRUE(at::equal(master, at::full({4}, 1.001f))) << "the initial value is not rounded in the master";
  EXPECT_TRUE(at::equal(weight.detach(), at::ones({4}, at::kBFloat16)));
}

TEST(MasterWeights, AddUpGradientsOfMicroBatchesInFp32) {
  at::Tensor weight = at::ones({1}, at::kBFloat16).requires_grad_();
  MasterWeights masters;
  const at::Tensor master = masters.add({"w", SlotTraits{.in_compute_type = true}, {1}, &weight});
  for (int k = 0; k < 300; ++k) {
    weight.mutable_grad() = at::ones({1}, at::kBFloat16);
    masters.collectGradients();
    EXPECT_FALSE(weight.grad().defined());
  }
  EXPECT_EQ(master.grad().item<float>(), 300) << "bf16 itself stops counting at 256";
  const at::Tensor norm = at::ones({1});
  at::Tensor own = norm;
  EXPECT_TRUE(masters.add({"n", SlotTraits{}, {1}, &own}).is_same(norm)) << "fp32 needs no master";
}

TEST(MasterWeights, SavedAndReadAgainTheyAreTheSameAndTrainOnFromThere) {
  Experiment experiment = resNet18(8, 2);
  experiment.training.precision = Precision::Bf16;
  const VariantConfig variant = twoStages(experiment, 4);
  const auto session = openSession(experiment, variant);
  ASSERT_TRUE(session->runRepeat({}).failure.ok());
  const TensorMap trained = session->gather(TorchSession::Which::Weights).value();
  const test::TemporaryFile saved("masters.safetensors");
  ASSERT_TRUE(session->saveWeights(saved.path).ok());
  experiment.model.weights = saved.path;
  experiment.training.lr = 0;
  experiment.data.steps = 1;
  const Trained again = train(experiment, variant);
  int finer = 0;
  for (const auto& [name, tensor] : trained) {
    if (name.find("running_") != std::string::npos || name.find("num_batches") != std::string::npos) continue;
    EXPECT_TRUE(at::equal(again.weights.at(name), tensor)) << name;
    finer += at::equal(tensor, tensor.to(at::kBFloat16).to(at::kFloat)) ? 0 : 1;
  }
  EXPECT_GT(finer, 20) << "masters hold more than bf16";
}

}  // namespace
}  // namespace lanelab
