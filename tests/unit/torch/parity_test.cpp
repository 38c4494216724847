// SPDX-License-Identifier: GPL-3.0-only
// Every strategy and schedule gives the single device's parameters, gradients, buffers and losses, bit for bit.
#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/torch/reference_trainer.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

void expectReference(const Experiment& experiment, const VariantConfig& variant) {
  at::set_num_threads(1);
  const ReferenceResult wanted = trainReference(experiment, variant.split_size.value_or(experiment.data.batch));
  const Trained trained = train(experiment, variant);
  expectSame(trained.weights, wanted.weights, "weight");
  expectSame(trained.gradients, wanted.gradients, "gradient");
  EXPECT_EQ(trained.outcome.losses, wanted.losses);
}

class ResNetParity : public ::testing::TestWithParam<Case> {};

TEST_P(ResNetParity, WithSingleDeviceAccumulation) {
  const Experiment experiment = resNet18(10, 3);
  expectReference(experiment, variantOf(experiment, GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Schedules, ResNetParity,
    ::testing::Values(
        Case{"gpipe_two_lanes", Strategy::Pipeline, ScheduleKind::Gpipe, 5, {{"stem", 0}, {"layer3.0", 1}}},
        Case{"gpipe_uneven_last", Strategy::Pipeline, ScheduleKind::Gpipe, 4, {{"stem", 0}, {"layer2.1", 1}}},
        Case{"one_f_one_b_uneven_last", Strategy::Pipeline, ScheduleKind::OneFOneB, 8, {{"stem", 0}, {"layer4.0", 1}}},
        Case{"one_f_one_b_three_lanes",
             Strategy::Pipeline,
             ScheduleKind::OneFOneB,
             2,
             {{"stem", 0}, {"layer2.0", 1}, {"layer4.1", 2}}},
        Case{"several_stages_a_lane",
             Strategy::Pipeline,
             ScheduleKind::OneFOneB,
             5,
             {{"stem", 0}, {"layer1.1", 1}, {"layer3.0", 0}, {"head", 1}}},
        Case{"gpipe_several_stages",
             Strategy::Pipeline,
             ScheduleKind::Gpipe,
             5,
             {{"stem", 1}, {"layer2.0", 0}, {"layer4.0", 1}}},
        Case{"model_parallel_three_lanes",
             Strategy::ModelParallel,
             ScheduleKind::Gpipe,
             10,
             {{"stem", 0}, {"layer1.0", 1}, {"layer3.1", 2}}}),
    [](const auto& named) { return std::string(named.param.name); });

/// What a schedule needs to be defined: cuts on so many lanes, and what it plans by.
struct Planned {
  const char* name;
  const char* schedule;
  int split_size;
  std::vector<int> lanes;
  std::vector<std::string> cuts;
  std::optional<int> warm_up = std::nullopt;
  std::optional<std::vector<std::string>> stage_times = std::nullopt;
  std::optional<std::vector<std::string>> actions = std::nullopt;
};

class ScheduleParity : public ::testing::TestWithParam<Planned> {};

TEST_P(ScheduleParity, WithSingleDeviceAccumulation) {
  Experiment experiment = narrowResNet18(10, 3);
  const Planned& planned = GetParam();
  VariantConfig variant;
  variant.name = planned.name;
  variant.strategy = Strategy::Pipeline;
  variant.schedule = fromWord<ScheduleKind>(planned.schedule).value();
  variant.split_size = planned.split_size;
  variant.lanes = planned.lanes;
  variant.cuts = planned.cuts;
  variant.warm_up = planned.warm_up;
  variant.stage_times = planned.stage_times;
  variant.actions = planned.actions;
  expectReference(experiment, variant);
}

const std::vector<std::string> kFour = {"layer2.0", "layer3.0", "layer4.0"};
const std::vector<std::string> kSix = {"layer1.1", "layer2.0", "layer3.0", "layer4.0", "layer4.1"};

INSTANTIATE_TEST_SUITE_P(
    Literature, ScheduleParity,
    ::testing::Values(
        Planned{"interleaved_two_lanes", "interleaved-1f1b", 2, {0, 1}, kFour},
        Planned{"interleaved_three_lanes_uneven", "interleaved-1f1b", 4, {0, 1, 2}, kSix},
        Planned{"looped_bfs_three_stages_a_lane", "looped-bfs", 2, {0, 1}, kSix},
        Planned{"looped_bfs_uneven", "looped-bfs", 4, {1, 0}, kFour},
        Planned{"zb_h1_two_lanes", "zb-h1", 2, {0, 1}, {"layer3.0"}},
        Planned{"zb_h1_three_lanes_uneven", "zb-h1", 4, {0, 1, 2}, {"layer2.0", "layer4.0"}},
        Planned{"zb_h2", "zb-h1", 2, {0, 1}, {"layer3.0"}, 3}, Planned{"zb_v_two_lanes", "zb-v", 2, {0, 1}, kFour},
        Planned{"zb_v_three_lanes_uneven", "zb-v", 4, {0, 1, 2}, kSix},
        Planned{"v_half_two_lanes", "v-half", 2, {0, 1}, kFour},
        Planned{"v_half_three_lanes_uneven", "v-half", 4, {0, 1, 2}, kSix},
        Planned{"v_min_two_lanes", "v-min", 2, {0, 1}, kFour},
        Planned{"v_min_three_lanes_uneven", "v-min", 4, {0, 1, 2}, kSix},
        Planned{"dualpipe_v_two_lanes", "dualpipe-v", 2, {0, 1}, kFour},
        Planned{"dualpipe_v_three_lanes_uneven", "dualpipe-v", 4, {0, 1, 2}, kSix},
        Planned{"interleaved_zb_two_lanes", "interleaved-zb", 2, {0, 1}, kFour},
        Planned{"interleaved_zb_three_lanes_uneven", "interleaved-zb", 4, {0, 1, 2}, kSix},
        Planned{"hanayo_one_wave", "hanayo", 2, {0, 1}, kFour},
        Planned{"hanayo_two_waves_uneven",
                "hanayo",
                4,
                {0, 1},
                {"layer1.0", "layer1.1", "layer2.0", "layer2.1", "layer3.0", "layer4.0", "layer4.1"}},
        Planned{"deep_one_f_one_b", "1f1b", 2, {0, 1}, {"layer3.0"}, 4},
        Planned{
            "list_unequal_times", "list", 2, {0, 1}, {"layer2.0"}, 3, std::vector<std::string>{"10:4:9", "30:28:17"}},
        Planned{"edited",
                "1f1b",
                5,
                {0, 1},
                {"layer3.0"},
                std::nullopt,
                std::nullopt,
                std::vector<std::string>{"0F0,0F1,0I1,0B0,0W1", "1F0,1F1,1I1,1B0,1W1"}}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(Parity, ModelParallelEqualsSingleAfterTenSteps) {
  const Experiment experiment = narrowResNet18(8, 10);
  VariantConfig single, parallel;
  single.lanes = std::vector<int>{0};
  parallel.strategy = Strategy::ModelParallel;
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

TEST(Parity, HoldsWithPyTorchsKernels) {
  Experiment experiment = narrowResNet18(10, 2);
  experiment.training.kernels = Kernels::Aten;
  for (const Case& c :
       {Case{"1f1b, uneven", Strategy::Pipeline, ScheduleKind::OneFOneB, 4, {{"conv1", 0}, {"layer3.0", 1}}},
        Case{"gpipe, two stages on a lane",
             Strategy::Pipeline,
             ScheduleKind::Gpipe,
             5,
             {{"conv1", 1}, {"layer2.0", 0}, {"layer4.0", 1}}},
        Case{"three lanes in turn",
             Strategy::ModelParallel,
             ScheduleKind::Gpipe,
             10,
             {{"conv1", 0}, {"layer1.0", 1}, {"layer3.1", 2}}}}) {
    SCOPED_TRACE(c.name);
    expectReference(experiment, variantOf(experiment, c));
  }
}

TEST(Parity, TheToyInThreeStagesEqualsTheReference) {
  const Experiment experiment = toy(20, 10);
  expectReference(
      experiment,
      variantOf(experiment,
                {"toy", Strategy::Pipeline, ScheduleKind::OneFOneB, 6, {{"net1", 0}, {"relu", 1}, {"net2", 2}}}));
}

TEST(Parity, EveryRepeatStartsAnew) {
  const Experiment experiment = narrowResNet18(4, 2);
  const auto session = openSession(
      experiment, variantOf(experiment, {"r", Strategy::Pipeline, ScheduleKind::Gpipe, 2, {{"layer2.0", 1}}}));
  const RepeatOutcome first = session->runRepeat({});
  const TensorMap weights = session->gather(TorchSession::Which::Weights).value();
  const RepeatOutcome second = session->runRepeat({});
  EXPECT_EQ(first.losses, second.losses);
  expectSame(session->gather(TorchSession::Which::Weights).value(), weights, "weight");
}

TEST(Parity, RecordingChangesNothing) {
  Experiment experiment = narrowResNet18(4, 2);
  const VariantConfig variant =
      variantOf(experiment, {"r", Strategy::Pipeline, ScheduleKind::OneFOneB, 2, {{"layer2.0", 1}}});
  const Trained plain = train(experiment, variant);
  experiment.record = RecordMode::Operators;
  TraceBuilder trace("operators", {{"a", "cpu:0"}, {"b", "cpu:1"}, {"c", "cpu:2"}});
  expectSame(train(experiment, variant, &trace).weights, plain.weights, "weight");
}

}  // namespace
}  // namespace lanelab
