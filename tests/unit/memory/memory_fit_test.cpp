// SPDX-License-Identifier: GPL-3.0-only
// Training that cannot fit in memory is refused before anything is allocated.
#include "engine/memory/memory_fit.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/memory/variant_memory.h"
#include "engine/run/runner.h"
#include "tests/support/resolved.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/experiment/small_experiment.h"
#include "tests/unit/run/scripted_executor.h"

namespace lanelab {
namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kGiB = 1 << 30;

/// ResNet-18 on one lane, and as a pipeline over two.
Experiment resnets(int batch, int side) {
  Experiment experiment = test::smallExperiment();
  experiment.model.arch = "resnet18";
  experiment.data.shape = {3, side, side};
  experiment.data.batch = batch;
  VariantConfig pipeline = experiment.variants[0];
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.lanes.reset();
  pipeline.split_size = batch / 2;
  pipeline.cuts = std::vector<std::string>{"layer3.0"};
  experiment.variants.push_back(pipeline);
  return experiment;
}

std::vector<std::string> warningsOf(const Experiment& experiment, std::int64_t there,
                                    Together together = Together::AllVariants, int rank = 0) {
  const auto resolution = test::resolved(experiment);
  const auto forecasts = forecastMemory(*resolution);
  return memoryWarnings({experiment, forecasts, {{Device::cpu(0), "a core", there}}, together, rank});
}

TEST(MemoryFit, WarnsOfVariantsThatDoNotFitBesideTheOthers) {
  const Experiment experiment = resnets(4, 32);
  const auto resolution = test::resolved(experiment);
  const std::int64_t alone = forecastMemory(resolution->variants()[0])[0].at_peak.total();
  EXPECT_TRUE(warningsOf(experiment, 3 * alone).empty());
  EXPECT_TRUE(warningsOf(experiment, 0).empty()) << "what is not known is not warned of";
  const std::int64_t little_more = alone + resolution->model().parameters() * 4;
  ASSERT_EQ(warningsOf(experiment, little_more).size(), 2u);
  EXPECT_TRUE(warningsOf(experiment, little_more, Together::OneVariant).empty()) << "a check has one at a time";
}

TEST(MemoryFit, ARefusalNamesForecastMemoryLaneAndWhatToDo) {
  const Experiment experiment = resnets(2400, 224);
  const auto resolution = test::resolved(experiment);
  const auto forecasts = forecastMemory(*resolution);
  const Status fits = fitsMemory({experiment, forecasts, {{Device::cpu(0), "a core", 20 * kGiB}}});
  ASSERT_FALSE(fits.ok());
  EXPECT_EQ(fits.error().kind, Error::Kind::BadInput);
  const std::string& said = fits.error().message;
  for (const char* part : {"Single needs ", " of system memory at its peak (predicted: lane 0 (", "the other variants ",
                           "the data ", ", and 20 GiB are free. Use a smaller batch, micro-batch size or input"})
    EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
}

TEST(MemoryFit, ALimitOfALaneWarnsAndRefusesNothing) {
  Experiment experiment = resnets(4, 32);
  const std::int64_t second = forecastMemory(test::resolved(experiment)->variants()[1])[1].at_peak.total();
  const auto limited = [&](std::int64_t bytes) {
    experiment.lanes[1].memory_limit_mib = static_cast<double>(bytes) / kMiB;
    return warningsOf(experiment, 0);
  };
  EXPECT_TRUE(limited(second).empty());
  const std::vector<std::string> over = limited(second - 1);
  ASSERT_EQ(over.size(), 1u);
  for (const char* part : {"Pipeline needs ", " on lane 1 (", "the lane's memory limit is "})
    EXPECT_NE(over[0].find(part), std::string::npos) << over[0];
  const auto forecasts = forecastMemory(*test::resolved(experiment));
  EXPECT_TRUE(fitsMemory({experiment, forecasts, {}}).ok());
}

TEST(MemoryFit, LanesOfTheHostAddUp) {
  Experiment experiment = resnets(64, 64);
  experiment.variants.erase(experiment.variants.begin());
  const std::vector<LaneForecast> lanes = forecastMemory(test::resolved(experiment)->variants().front());
  const std::int64_t sum = lanes[0].at_peak.total() + lanes[1].at_peak.total() + randomDataBytes(experiment.data);
  EXPECT_TRUE(warningsOf(experiment, sum).empty());
  const std::vector<std::string> over = warningsOf(experiment, sum - 1);
  ASSERT_EQ(over.size(), 1u);
  EXPECT_NE(over[0].find("most of it lane "), std::string::npos) << over[0];
}

TEST(MemoryFit, RandomDataCountAndLanesOfOtherRanksDoNot) {
  Experiment experiment = resnets(4, 32);
  experiment.data.rows = 100000;
  EXPECT_EQ(randomDataBytes(experiment.data), std::int64_t{100000} * 3 * 32 * 32 * 4);
  EXPECT_EQ(warningsOf(experiment, 1000 * kMiB).size(), 2u);
  experiment.data.source = DataSource::Digits;
  EXPECT_EQ(randomDataBytes(experiment.data), 0);
  EXPECT_TRUE(warningsOf(experiment, 1000 * kMiB).empty());
  EXPECT_TRUE(warningsOf(experiment, 1, Together::AllVariants, /*rank=*/1).empty());
}

TEST(MemoryFit, ARunIsRefusedBeforeAnythingIsMadeUnlessForced) {
  const test::TemporaryFolder folder;
  test::Script script;
  script.memory_bytes = 1;
  test::ScriptedExecutor executor(script);
  RunObserver silent;
  RunOptions options;
  const std::string path = folder.file("run");
  const auto resolution = test::resolved(test::smallExperiment());
  const Result<RunRecord> refused = runExperiment(*resolution, executor, path, options, silent, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, Error::Kind::BadInput);
  EXPECT_TRUE(script.log.empty()) << script.log.front();
  EXPECT_FALSE(std::filesystem::exists(path));
  options.memory.force = true;
  const Result<RunRecord> forced = runExperiment(*resolution, executor, path, options, silent, {});
  ASSERT_TRUE(forced.ok()) << forced.error().message;
  EXPECT_EQ(forced->status, RunStatus::Done);
  ASSERT_FALSE(forced->warnings.empty());
  EXPECT_NE(forced->warnings.front().find("are free"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
