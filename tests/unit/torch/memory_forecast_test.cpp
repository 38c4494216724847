// SPDX-License-Identifier: GPL-3.0-only
// The forecast against what lanes take in real trainings. `lanelab-bench memory` prints many more.
#include "engine/memory/variant_memory.h"

#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

struct Training {
  Case variant;
  OptimizerKind optimizer;
  Layout layout;
};

class Forecast : public testing::TestWithParam<Training> {};

TEST_P(Forecast, IsWithinATenthOfEveryLanesPeak) {
  const auto& [variant, optimizer, layout] = GetParam();
  Experiment experiment = resNet18(24, 2);
  experiment.training.optimizer = optimizer;
  experiment.training.layout = layout;
  if (experiment.training.optimizer == OptimizerKind::Sgd) experiment.training.momentum = 0.9;
  const VariantConfig config = variantOf(experiment, variant);
  const Trained trained = train(experiment, config);
  const std::vector<LaneForecast> forecasts = forecastMemory(resolve(experiment)->with(config)->variants().front());
  ASSERT_EQ(forecasts.size(), trained.outcome.peak_bytes.size());
  for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
    const auto measured = static_cast<double>(trained.outcome.peak_bytes[lane]);
    EXPECT_NEAR(static_cast<double>(forecasts[lane].at_peak.total()), measured, 0.1 * measured) << "lane " << lane;
  }
}

struct Mode {
  const char* name;
  Precision precision;
  BatchNormMode batch_norm;
  std::vector<int> recompute;
};

class ModeForecast : public testing::TestWithParam<Mode> {};

TEST_P(ModeForecast, FollowsTheVariantsOwnModes) {
  Experiment experiment = resNet18(24, 2);
  experiment.data.shape = {3, 64, 64};
  VariantConfig variant =
      variantOf(experiment,
                {"modes", Strategy::Pipeline, ScheduleKind::Gpipe, 4, {{"stem", 0}, {"layer2.0", 1}, {"layer4.0", 2}}});
  variant.precision = GetParam().precision;
  variant.batch_norm = GetParam().batch_norm;
  variant.recompute = GetParam().recompute;
  const Trained trained = train(experiment, variant);
  const std::vector<LaneForecast> forecasts = forecastMemory(resolve(experiment)->with(variant)->variants().front());
  for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
    const auto measured = static_cast<double>(trained.outcome.peak_bytes[lane]);
    EXPECT_NEAR(static_cast<double>(forecasts[lane].at_peak.total()), measured, 0.1 * measured) << "lane " << lane;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, ModeForecast,
                         testing::Values(Mode{"recompute", Precision::Fp32, BatchNormMode::MicroBatch, {0, 1, 2}},
                                         Mode{"recompute_one", Precision::Fp32, BatchNormMode::Deferred, {1}},
                                         Mode{"synchronised", Precision::Fp32, BatchNormMode::Synchronised, {}},
                                         Mode{"bf16", Precision::Bf16, BatchNormMode::MicroBatch, {}}),
                         [](const auto& named) { return std::string(named.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Trainings, Forecast,
    testing::Values(
        Training{{"one lane", Strategy::Pipeline, ScheduleKind::Gpipe, 24, {{"stem", 0}}},
                 OptimizerKind::Adam,
                 Layout::ChannelsLast},
        Training{{"gpipe", Strategy::Pipeline, ScheduleKind::Gpipe, 5, {{"stem", 0}, {"layer2.0", 1}}},
                 OptimizerKind::Sgd,
                 Layout::ChannelsLast},
        Training{
            {"1f1b", Strategy::Pipeline, ScheduleKind::OneFOneB, 4, {{"stem", 0}, {"layer2.0", 1}, {"layer4.0", 2}}},
            OptimizerKind::Adam,
            Layout::Contiguous},
        Training{{"zb-h1", Strategy::Pipeline, ScheduleKind::ZbH1, 4, {{"stem", 0}, {"layer3.0", 1}}},
                 OptimizerKind::Sgd,
                 Layout::ChannelsLast}),
    [](const auto& named) {
      std::string name = named.param.variant.name;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
      return name;
    });

}  // namespace
}  // namespace lanelab
