// SPDX-License-Identifier: GPL-3.0-only
// Gradients are clipped by the norm of all parameters, wherever these are: bit for bit as the undivided network does.
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <chrono>
#include <cmath>
#include <future>
#include <limits>
#include <stdexcept>

#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/model_file.h"
#include "engine/torch/lanes/training_job.h"
#include "engine/torch/nn/gradient_norm.h"
#include "engine/torch/train/equality_check.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

at::Tensor withGradient(std::vector<float> gradient) {
  at::Tensor parameter = at::zeros({static_cast<std::int64_t>(gradient.size())});
  parameter.mutable_grad() = at::tensor(gradient, at::TensorOptions().dtype(at::kFloat));
  return parameter;
}

TEST(GradientNorms, AreOfTheParametersThatHaveAGradient) {
  const GradientNorms norms =
      gradientNorms({"b", "none", "a"}, {withGradient({3, 4}), at::zeros({2}), withGradient({-12})});
  EXPECT_EQ(norms, (GradientNorms{{"a", 12}, {"b", 5}}));
  EXPECT_TRUE(gradientNorms({"none"}, {at::zeros({2})}).empty());
}

struct ClipCase {
  GradientNorms norms;
  double most, factor;
};

TEST(ClipFactor, BringsTheNormOfAllToTheLimitAndNeverUp) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const ClipCase& one : {ClipCase{{{"a", 12}, {"b", 5}}, 6.5, 0.5}, ClipCase{{{"a", 12}, {"b", 5}}, 13.1, 1},
                              ClipCase{{{"a", 12}, {"b", 5}}, 1e9, 1}, ClipCase{{{"a", 0}}, 1, 1}, ClipCase{{}, 1, 1},
                              ClipCase{{{"a", infinity}}, 1, 0}})
    EXPECT_NEAR(clipFactor(one.norms, one.most), one.factor, 1e-6) << one.norms.size() << ' ' << one.most;
  EXPECT_TRUE(std::isnan(clipFactor({{"a", std::nanf("")}, {"b", 5}}, 1))) << "as PyTorch, it is not hidden";
}

TEST(ScaledGradients, AreScaledInPlace) {
  const at::Tensor some = withGradient({2, -4}), none = at::zeros({1});
  const at::Tensor before = some.grad();
  scaleGradients({some, none}, 0.25);
  EXPECT_TRUE(some.grad().is_same(before));
  EXPECT_TRUE(before.equal(at::tensor({0.5F, -1.0F})));
  EXPECT_FALSE(none.grad().defined());
}

constexpr auto kExchangeLimit = std::chrono::seconds(20);
const std::vector<LaneId> kFirstReplica = {LaneId(0), LaneId(1), LaneId(0)};
const std::vector<LaneId> kSecondReplica = {LaneId(2), LaneId(3), LaneId(2)};

TEST(NormExchange, GivesTheNormsOfTheLanesThatAreAskedForInEachRound) {
  NormExchange room;
  room.open();
  for (const int round : {1, 2}) {
    const auto norm = static_cast<float>(round);
    auto all = std::async(std::launch::async, [&] { return room.await(kFirstReplica, round); });
    room.offer(LaneId(2), round, {{"of another replica", norm}});
    room.offer(LaneId(1), round, {{"b", norm}, {"tied", norm}});
    room.offer(LaneId(0), round, {{"a", 2 * norm}, {"tied", norm}});
    ASSERT_EQ(all.wait_for(kExchangeLimit), std::future_status::ready);
    const GradientNorms first{{"a", 2 * norm}, {"tied", norm}}, second{{"b", norm}, {"tied", norm}};
    EXPECT_EQ(all.get(), (std::vector{first, second, first})) << round;
  }
}

TEST(NormExchange, WakesWhoeverWaitsForALaneThatIsGone) {
  NormExchange room;
  room.open();
  room.offer(LaneId(3), 1, {});
  auto all = std::async(std::launch::async, [&] { return room.await(kSecondReplica, 1); });
  room.close();
  ASSERT_EQ(all.wait_for(kExchangeLimit), std::future_status::ready);
  EXPECT_THROW(all.get(), std::runtime_error);
  room.open();
  room.offer(LaneId(2), 1, {});
  room.offer(LaneId(3), 1, {{"a", 1}});
  EXPECT_EQ(room.await(kSecondReplica, 1), (std::vector<GradientNorms>{{}, {{"a", 1}}, {}}));
}

constexpr double kMostNorm = 0.05;

Experiment clippedToy() {
  Experiment experiment = toy(8, 3);
  experiment.training.lr = 0.5;
  experiment.training.momentum = 0.9;
  experiment.training.clip_grad_norm = kMostNorm;
  return experiment;
}

struct ClipTrial {
  const char* name;
  Strategy strategy;
  ScheduleKind schedule = ScheduleKind::Gpipe;
  int split_size = 8;
  std::map<std::string, int> placement = {};
  Precision precision = Precision::Fp32;

  friend void PrintTo(const ClipTrial& trial, std::ostream* out) { *out << trial.name; }
};

VariantConfig clipVariant(const Experiment& experiment, const ClipTrial& trial) {
  VariantConfig variant;
  variant.name = trial.name;
  variant.strategy = trial.strategy;
  if (!trial.placement.empty())
    variant = variantOf(experiment, {trial.name, trial.strategy, trial.schedule, trial.split_size, trial.placement});
  variant.precision = trial.precision;
  return variant;
}

double normOfAll(const TensorMap& gradients) {
  double squares = 0;
  for (const auto& [name, gradient] : gradients) squares += std::pow(gradient.norm().item<double>(), 2);
  return std::sqrt(squares);
}

class ClippedTrainings : public ::testing::TestWithParam<ClipTrial> {};

TEST_P(ClippedTrainings, AreThoseOfTheUndividedNetwork) {
  Experiment experiment = clippedToy();
  const VariantConfig variant = clipVariant(experiment, GetParam());
  EXPECT_NEAR(normOfAll(train(experiment, variant).gradients), kMostNorm, 1e-6) << "they were larger";

  experiment.variants = {variant};
  const Result<EqualityReport> report = checkEquality(*resolve(experiment), 3, {});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->variants.at(0).bitwise_wanted);
  EXPECT_TRUE(report->equal());
}

const std::map<std::string, int> kClipOnTwo{{"net1", 0}, {"net2", 1}},
    kClipOnAll{{"net1", 0}, {"relu", 1}, {"net2", 2}}, kClipThereAndBack{{"net1", 0}, {"relu", 1}, {"net2", 0}};

INSTANTIATE_TEST_SUITE_P(
    All, ClippedTrainings,
    ::testing::Values(ClipTrial{"single", Strategy::Single}, ClipTrial{"data_parallel", Strategy::DataParallel},
                      ClipTrial{"model_parallel", Strategy::ModelParallel, ScheduleKind::Gpipe, 8, kClipOnAll},
                      ClipTrial{"gpipe", Strategy::Pipeline, ScheduleKind::Gpipe, 3, kClipOnAll},
                      ClipTrial{"one_f_one_b", Strategy::Pipeline, ScheduleKind::OneFOneB, 2, kClipOnTwo},
                      ClipTrial{"zb_h1", Strategy::Pipeline, ScheduleKind::ZbH1, 2, kClipOnAll},
                      ClipTrial{"two_stages_on_a_lane", Strategy::Pipeline, ScheduleKind::Gpipe, 2, kClipThereAndBack},
                      ClipTrial{"masters_of_bf16", Strategy::Pipeline, ScheduleKind::OneFOneB, 2, kClipOnTwo,
                                Precision::Bf16}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(ClippedTraining, BelowTheLimitIsTheTrainingWithoutOne) {
  Experiment experiment = clippedToy();
  const VariantConfig variant =
      clipVariant(experiment, {"", Strategy::Pipeline, ScheduleKind::OneFOneB, 2, kClipOnTwo});
  experiment.training.clip_grad_norm = 1e6;
  const Trained with = train(experiment, variant);
  experiment.training.clip_grad_norm.reset();
  const Trained without = train(experiment, variant);
  EXPECT_EQ(with.outcome.losses, without.outcome.losses);
  expectSame(with.weights, without.weights, "weights");
  EXPECT_GT(normOfAll(without.gradients), kMostNorm);
}

TEST(ClippedTraining, OfSeveralStagesHasTheBarrierAndUpdatesLast) {
  Experiment experiment = clippedToy();
  experiment.training.step_barrier = false;
  const VariantConfig pipeline = clipVariant(experiment, {"", Strategy::Pipeline, ScheduleKind::Gpipe, 2, kClipOnTwo});
  const VariantPlan plan = test::planned(experiment, pipeline);
  EXPECT_EQ(plan.step_barrier, StepBarrier::GradientNorm);
  EXPECT_TRUE(plan.schedule.updates_last);
  EXPECT_EQ(reasonOf(plan.step_barrier), "Gradients are clipped by the norm of all stages.");
  const VariantPlan single = test::planned(experiment, clipVariant(experiment, {"", Strategy::Single}));
  EXPECT_EQ(single.step_barrier, StepBarrier::None);
  EXPECT_FALSE(single.schedule.updates_last);
  EXPECT_NEAR(normOfAll(train(experiment, pipeline).gradients), kMostNorm, 1e-6);
}

TEST(ClippedTraining, CountsAParameterOfTwoStagesOnce) {
  Experiment experiment = clippedToy();
  setModelFile(experiment, *openModelFile(LANELAB_SOURCE_DIR "/tests/data/exported/gpt2.pt2"));
  experiment.training.lr = 0.001;
  experiment.training.clip_grad_norm = 0.01;
  VariantConfig variant;
  variant.name = "tied";
  variant.strategy = Strategy::Pipeline;
  variant.split_size = 2;
  variant.cuts = std::vector<std::string>{"inner.transformer.h.1"};
  experiment.variants = {variant};
  EXPECT_NEAR(normOfAll(train(experiment, variant).gradients), 0.01, 1e-6);
  const Result<EqualityReport> report = checkEquality(*resolve(experiment), 2, {});
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->equal());
}

TEST(ClippedTraining, TrainsAgainAfterACancel) {
  const Experiment experiment = clippedToy();
  const auto session =
      openSession(experiment, clipVariant(experiment, {"", Strategy::Pipeline, ScheduleKind::OneFOneB, 2, kClipOnAll}));
  std::stop_source stop;
  const RepeatOutcome cancelled =
      session->runRepeat({.on_step = [&](int, double, double) { stop.request_stop(); }, .stop = stop.get_token()});
  EXPECT_FALSE(cancelled.failure.ok());
  const RepeatOutcome again = session->runRepeat({});
  EXPECT_TRUE(again.failure.ok()) << again.failure.error().message;
  EXPECT_EQ(again.losses.size(), 3u);
}

}  // namespace
}  // namespace lanelab
