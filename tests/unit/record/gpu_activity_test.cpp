// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "engine/record/run_record.h"
#include "engine/report/report.h"
#include "tests/unit/experiment/small_experiment.h"
#include "tests/unit/report/note_of.h"

namespace lanelab {
namespace {

GpuActivity clean() {
  GpuActivity activity;
  activity.kernels = 12'345;
  activity.copies = 67;
  activity.clock_residual = 812;
  return activity;
}

RunRecord recordWith(std::vector<std::optional<GpuActivity>> variants) {
  RunRecord record;
  record.id = "first";
  record.status = RunStatus::Done;
  record.experiment = test::smallExperiment();
  for (std::size_t i = 0; i < variants.size(); ++i) {
    VariantRecord& variant = record.variants.emplace_back();
    variant.name = "variant " + std::to_string(i);
    variant.gpu = variants[i];
  }
  return record;
}

TEST(GpuActivityRecord, AGoodRecordingIsOneShortSentence) {
  EXPECT_EQ(test::noteOf(recordWith({clean()}), RunNote::Kind::GpuActivity),
            "GPU activity: 12,345 kernels, 0 dropped, 0 without time, clocks agree within 812 ns.");
}

TEST(GpuActivityRecord, WithoutAGpuNothingIsSaid) {
  EXPECT_EQ(test::noteOf(recordWith({std::nullopt, std::nullopt}), RunNote::Kind::GpuActivity), "");
  EXPECT_EQ(toJson(recordWith({std::nullopt})).find("gpu_activity"), std::string::npos);
}

TEST(GpuActivityRecord, VariantsAddUpAndFaultsAreNamed) {
  GpuActivity bad = clean();
  bad.kernels = 987'655;
  bad.dropped = 1'200;
  bad.without_time = 3;
  bad.unattributed = 40;
  bad.before_launch = 2;
  bad.clock_residual = 15'000;
  bad.clock_steps = 1;
  EXPECT_EQ(test::noteOf(recordWith({clean(), std::nullopt, bad}), RunNote::Kind::GpuActivity),
            "GPU activity: 1,000,000 kernels, 1,200 dropped, 3 without time, 40 kernels of no known action, 2 kernels "
            "that seem to begin before their "
            "launch, clocks agree within 15 µs, and the system's clock was set 1 time.");
}

TEST(GpuActivityRecord, EveryCountComesBackFromTheFile) {
  const GpuActivity activity{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Result<RunRecord> read = parseRunRecord(toJson(recordWith({activity, std::nullopt})), "run.json");
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_TRUE(read->variants[0].gpu.has_value());
  EXPECT_EQ(*read->variants[0].gpu, activity);
  EXPECT_FALSE(read->variants[1].gpu.has_value());
}

TEST(GpuActivityRecord, TheReportShowsIt) {
  RunRecord record = recordWith({clean()});
  ASSERT_TRUE(refreshStatistics(record).ok());
  EXPECT_NE(htmlReport(record, {}).find("12,345 kernels, 0 dropped"), std::string::npos);
  record.variants[0].gpu.reset();
  EXPECT_EQ(htmlReport(record, {}).find("GPU activity"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
