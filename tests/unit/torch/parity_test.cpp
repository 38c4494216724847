// Every strategy and schedule gives the single device's parameters, gradients, buffers and losses, bit for bit.
#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/torch/lane_memory.h"
#include "engine/torch/torch_session.h"
#include "tests/unit/torch/reference_trainer.h"

namespace lanelab {
namespace {

Experiment resNet18(int batch, int steps) {
  Experiment experiment;
  experiment.model = {"resnet18", 10, std::nullopt};
  experiment.data.shape = {3, 32, 32};
  experiment.data.batch = batch;
  experiment.data.steps = steps;
  experiment.training.lr = 0.01;
  experiment.lanes = {{"cpu:0", "", 1}, {"cpu:1", "", 1}, {"cpu:2", "", 1}};
  experiment.record = RecordMode::Off;
  return experiment;
}

Experiment toy(int batch, int steps) {
  Experiment experiment = resNet18(batch, steps);
  experiment.model = {"toy", 5, std::nullopt};
  experiment.data.shape = {10};
  return experiment;
}

struct Trained {
  TensorMap weights, gradients;
  RepeatOutcome outcome;
};

std::unique_ptr<TorchSession> openSession(const Experiment& experiment, const VariantConfig& variant) {
  const auto spec = modelOf(experiment);
  EXPECT_TRUE(spec.ok()) << spec.error().message;
  const auto plan = planVariant(experiment, *spec, variant);
  EXPECT_TRUE(plan.ok()) << plan.error().message;
  installLaneAllocator();
  const auto inputs = loadTrainingInputs(experiment, *spec);
  auto session = TorchSession::open(std::make_shared<const TrainingJob>(TrainingJob{experiment, *spec, *plan, *inputs}));
  EXPECT_TRUE(session.ok()) << session.error().message;
  return std::unique_ptr<TorchSession>(static_cast<TorchSession*>(std::move(session).value().release()));
}

Trained train(const Experiment& experiment, const VariantConfig& variant, TraceBuilder* trace = nullptr) {
  const auto session = openSession(experiment, variant);
  Trained trained;
  trained.outcome = session->runRepeat(trace, [](int, double, double) {}, {});
  EXPECT_TRUE(trained.outcome.failure.ok()) << trained.outcome.failure.error().message;
  trained.weights = session->gather(TorchSession::Which::Weights).value();
  trained.gradients = session->gather(TorchSession::Which::Gradients).value();
  return trained;
}

void expectSame(const TensorMap& actual, const TensorMap& wanted, const std::string& what) {
  ASSERT_EQ(actual.size(), wanted.size()) << what;
  for (const auto& [name, tensor] : wanted) {
    ASSERT_EQ(actual.count(name), 1u) << what << ' ' << name;
    EXPECT_TRUE(at::equal(actual.at(name), tensor)) << what << ' ' << name << " differs";
  }
}

void expectReference(const Experiment& experiment, const VariantConfig& variant) {
  at::set_num_threads(1);
  const ReferenceResult wanted = trainReference(experiment, variant.split_size.value_or(experiment.data.batch));
  const Trained trained = train(experiment, variant);
  expectSame(trained.weights, wanted.weights, "weight");
  expectSame(trained.gradients, wanted.gradients, "gradient");
  EXPECT_EQ(trained.outcome.losses, wanted.losses);
}

struct Case {
  const char* name;
  const char* strategy;
  const char* schedule;
  int split_size;
  std::map<std::string, int> placement;  ///< first block of each stage -> lane
};

/// Spells a placement out, block by block.
VariantConfig variantOf(const Experiment& experiment, const Case& c) {
  VariantConfig variant;
  variant.name = c.name;
  variant.strategy = c.strategy;
  variant.schedule = c.schedule;
  variant.split_size = c.split_size;
  std::map<std::string, int> lanes;
  int lane = 0;
  const auto spec = modelOf(experiment);
  for (const BlockSpec& block : spec->blocks) {
    if (const auto found = c.placement.find(block.name); found != c.placement.end()) lane = found->second;
    lanes[block.name] = lane;
  }
  variant.placement = lanes;
  return variant;
}

class ResNetParity : public ::testing::TestWithParam<Case> {};

TEST_P(ResNetParity, WithSingleDeviceAccumulation) {
  const Experiment experiment = resNet18(10, 3);
  expectReference(experiment, variantOf(experiment, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, ResNetParity,
    ::testing::Values(Case{"gpipe_two_lanes", "pipeline", "gpipe", 5, {{"stem", 0}, {"layer3.0", 1}}},
                      Case{"gpipe_uneven_last", "pipeline", "gpipe", 4, {{"stem", 0}, {"layer2.1", 1}}},
                      Case{"one_f_one_b_uneven_last", "pipeline", "1f1b", 8, {{"stem", 0}, {"layer4.0", 1}}},
                      Case{"one_f_one_b_three_lanes", "pipeline", "1f1b", 2, {{"stem", 0}, {"layer2.0", 1}, {"layer4.1", 2}}},
                      Case{"several_stages_a_lane", "pipeline", "1f1b", 5, {{"stem", 0}, {"layer1.1", 1}, {"layer3.0", 0}, {"head", 1}}},
                      Case{"gpipe_several_stages", "pipeline", "gpipe", 5, {{"stem", 1}, {"layer2.0", 0}, {"layer4.0", 1}}},
                      Case{"model_parallel_three_lanes", "model-parallel", "gpipe", 10, {{"stem", 0}, {"layer1.0", 1}, {"layer3.1", 2}}}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(Parity, ModelParallelEqualsSingleAfterTenSteps) {
  const Experiment experiment = resNet18(8, 10);
  VariantConfig single, parallel;
  single.lanes = std::vector<int>{0};
  parallel.strategy = "model-parallel";
  parallel.cuts = std::vector<std::string>{"layer3.0"};
  parallel.lanes = std::vector<int>{0, 1};
  const Trained wanted = train(experiment, single);
  const Trained actual = train(experiment, parallel);
  EXPECT_EQ(wanted.weights.size(), 122u);
  EXPECT_EQ(wanted.gradients.size(), 62u);
  expectSame(actual.weights, wanted.weights, "weight");
  expectSame(actual.gradients, wanted.gradients, "gradient");
  EXPECT_EQ(actual.outcome.losses, wanted.outcome.losses);
}

TEST(Parity, TheToyInThreeStagesEqualsTheReference) {
  const Experiment experiment = toy(20, 10);
  expectReference(experiment, variantOf(experiment, {"toy", "pipeline", "1f1b", 6, {{"net1", 0}, {"relu", 1}, {"net2", 2}}}));
}

TEST(Parity, EveryRepeatStartsAnew) {
  const Experiment experiment = resNet18(4, 2);
  const auto session = openSession(experiment, variantOf(experiment, {"r", "pipeline", "gpipe", 2, {{"layer2.0", 1}}}));
  const auto none = [](int, double, double) {};
  const RepeatOutcome first = session->runRepeat(nullptr, none, {});
  const TensorMap weights = session->gather(TorchSession::Which::Weights).value();
  const RepeatOutcome second = session->runRepeat(nullptr, none, {});
  EXPECT_EQ(first.losses, second.losses);
  expectSame(session->gather(TorchSession::Which::Weights).value(), weights, "weight");
}

TEST(Parity, RecordingChangesNothing) {
  Experiment experiment = resNet18(4, 2);
  const VariantConfig variant = variantOf(experiment, {"r", "pipeline", "1f1b", 2, {{"layer2.0", 1}}});
  const Trained plain = train(experiment, variant);
  experiment.record = RecordMode::Operators;
  TraceBuilder trace("operators", {{"a", "cpu:0"}, {"b", "cpu:1"}, {"c", "cpu:2"}});
  expectSame(train(experiment, variant, &trace).weights, plain.weights, "weight");
}

}  // namespace
}  // namespace lanelab
