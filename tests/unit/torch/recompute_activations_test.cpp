// SPDX-License-Identifier: GPL-3.0-only
// ReLUs of batch norms that are made again in the backward: the same bits, less memory, as forecast.
#include <algorithm>

#include "engine/memory/variant_memory.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

struct Remaking {
  const char* name;
  Case variant;
  const char* arch = "resnet18";
  Kernels kernels = Kernels::Fused;
  Layout layout = Layout::ChannelsLast;
  Precision precision = Precision::Fp32;
  BatchNormMode batch_norm = BatchNormMode::MicroBatch;
};

Experiment experimentOf(const Remaking& r) {
  Experiment experiment = resNet18(12, 2);
  experiment.model.arch = r.arch;
  experiment.data.shape = {3, 32, 32};
  experiment.training.kernels = r.kernels;
  experiment.training.layout = r.layout;
  experiment.training.precision = r.precision;
  experiment.training.batch_norm = r.batch_norm;
  return experiment;
}

const Case kOneStage{"one lane", Strategy::Pipeline, ScheduleKind::Gpipe, 12, {{"stem", 0}}};
const Case k1F1B{"1f1b", Strategy::Pipeline, ScheduleKind::OneFOneB, 4, {{"stem", 0}, {"layer2.0", 1}}};
const Case kZbH1{"zb-h1", Strategy::Pipeline, ScheduleKind::ZbH1, 4, {{"stem", 0}, {"layer3.0", 1}}};

void PrintTo(const Remaking& r, std::ostream* out) { *out << r.name; }

class RemadeActivations : public ::testing::TestWithParam<Remaking> {};

void expectForecast(const std::vector<std::int64_t>& measured, const Experiment& experiment,
                    const VariantConfig& variant) {
  const std::vector<LaneForecast> forecasts = forecastMemory(resolve(experiment)->with(variant)->variants().front());
  ASSERT_EQ(forecasts.size(), measured.size());
  for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
    const auto bytes = static_cast<double>(measured[lane]);
    // In bf16, convolutions of oneDNN for AMX take a workspace that those for AVX-512 do without.
    EXPECT_NEAR(static_cast<double>(forecasts[lane].at_peak.total()), bytes, std::max(0.03 * bytes, 128.0 * 1024))
        << "lane " << lane;
  }
}

TEST_P(RemadeActivations, GiveTheSameBitsInLessMemoryAsForecast) {
  Experiment experiment = experimentOf(GetParam());
  const VariantConfig variant = variantOf(experiment, GetParam().variant);
  const Trained kept = train(experiment, variant);
  experiment.training.recompute = Recompute::Activations;
  const Trained again = train(experiment, variant);
  expectSame(again.weights, kept.weights, "weight");
  expectSame(again.gradients, kept.gradients, "gradient");
  EXPECT_EQ(again.outcome.losses, kept.outcome.losses);
  EXPECT_LT(again.outcome.peak_bytes[0], kept.outcome.peak_bytes[0]);
  expectForecast(again.outcome.peak_bytes, experiment, variant);
}

INSTANTIATE_TEST_SUITE_P(
    Trainings, RemadeActivations,
    ::testing::Values(Remaking{"one_lane", kOneStage}, Remaking{"bottlenecks_1f1b", k1F1B, "resnet50"},
                      Remaking{"one_f_one_b", k1F1B}, Remaking{"split_backward", kZbH1},
                      Remaking{"aten", k1F1B, "resnet18", Kernels::Aten},
                      Remaking{"aten_split_backward", kZbH1, "resnet50", Kernels::Aten},
                      Remaking{"contiguous", k1F1B, "resnet18", Kernels::Fused, Layout::Contiguous},
                      Remaking{"deferred", k1F1B, "resnet18", Kernels::Fused, Layout::ChannelsLast, Precision::Fp32,
                               BatchNormMode::Deferred},
                      Remaking{"bf16", k1F1B, "resnet18", Kernels::Fused, Layout::ChannelsLast, Precision::Bf16}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(RemadeActivationsOfReplicas, GiveTheSameBits) {
  Experiment experiment = resNet18(12, 2);
  VariantConfig variant;
  variant.name = "replicas";
  variant.strategy = Strategy::DataParallel;
  const Trained kept = train(experiment, variant);
  experiment.training.recompute = Recompute::Activations;
  const Trained again = train(experiment, variant);
  expectSame(again.weights, kept.weights, "weight");
  EXPECT_EQ(again.outcome.losses, kept.outcome.losses);
}

}  // namespace
}  // namespace lanelab
