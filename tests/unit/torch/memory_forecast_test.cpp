// SPDX-License-Identifier: GPL-3.0-only
// The forecast against what lanes take in real trainings. `lanelab-bench memory` prints many more.
#include "engine/memory/variant_memory.h"

#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

struct Training {
  Case variant;
  const char* optimizer;
  const char* layout;
};

class Forecast : public testing::TestWithParam<Training> {};

TEST_P(Forecast, IsWithinATenthOfEveryLanesPeak) {
  const auto& [variant, optimizer, layout] = GetParam();
  Experiment experiment = resNet18(24, 2);
  experiment.training.optimizer = optimizer;
  experiment.training.layout = layout;
  if (experiment.training.optimizer == "sgd") experiment.training.momentum = 0.9;
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
  const char* precision;
  const char* batch_norm;
  std::vector<int> recompute;
};

class ModeForecast : public testing::TestWithParam<Mode> {};

TEST_P(ModeForecast, FollowsTheVariantsOwnModes) {
  Experiment experiment = resNet18(24, 2);
  experiment.data.shape = {3, 64, 64};
  VariantConfig variant =
      variantOf(experiment, {"modes", "pipeline", "gpipe", 4, {{"stem", 0}, {"layer2.0", 1}, {"layer4.0", 2}}});
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
                         testing::Values(Mode{"recompute", "fp32", "micro-batch", {0, 1, 2}},
                                         Mode{"recompute_one", "fp32", "deferred", {1}},
                                         Mode{"synchronised", "fp32", "synchronised", {}},
                                         Mode{"bf16", "bf16", "micro-batch", {}}),
                         [](const auto& named) { return std::string(named.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Trainings, Forecast,
    testing::Values(
        Training{{"one lane", "pipeline", "gpipe", 24, {{"stem", 0}}}, "adam", "channels_last"},
        Training{{"gpipe", "pipeline", "gpipe", 5, {{"stem", 0}, {"layer2.0", 1}}}, "sgd", "channels_last"},
        Training{
            {"1f1b", "pipeline", "1f1b", 4, {{"stem", 0}, {"layer2.0", 1}, {"layer4.0", 2}}}, "adam", "contiguous"},
        Training{{"zb-h1", "pipeline", "zb-h1", 4, {{"stem", 0}, {"layer3.0", 1}}}, "sgd", "channels_last"}),
    [](const auto& named) {
      std::string name = named.param.variant.name;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
      return name;
    });

}  // namespace
}  // namespace lanelab
