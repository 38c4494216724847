// SPDX-License-Identifier: GPL-3.0-only
// Variants of exported networks against a single device: all bits where bits are promised, rounding where they are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/exported/exported_network.h"
#include "engine/torch/train/equality_check.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;

/// A network of tests/data/exported in one variant; `cuts` are shares of its blocks.
struct ExportedCase {
  const char* what;
  const char* network;
  ScheduleKind schedule = ScheduleKind::OneFOneB;
  std::vector<double> cuts = {};
  int split = 1;
  Layout layout = Layout::ChannelsLast;
  OptimizerKind optimizer = OptimizerKind::Sgd;
  bool recompute = false;
};

Experiment experimentOf(const ExportedCase& c) {
  Experiment experiment;
  experiment.model = {"", 0};
  experiment.model.file = std::string(LANELAB_SOURCE_DIR) + "/tests/data/exported/" + c.network + ".pt2";
  const auto network = openExported(*experiment.model.file).value();
  const std::vector<BlockSpec>& blocks = network->described.model.blocks;
  experiment.data.shape = network->described.model.input;
  experiment.data.batch = 5;
  experiment.data.steps = 3;
  experiment.training.loss = network->described.model.vocabulary > 0 ? Loss::CrossEntropy : Loss::Mse;
  experiment.training.lr = 0.01;
  experiment.training.layout = c.layout;
  experiment.training.optimizer = c.optimizer;
  VariantConfig variant;
  variant.name = "cut";
  variant.strategy = Strategy::Pipeline;
  variant.schedule = c.schedule;
  variant.split_size = c.split;
  variant.cuts = std::vector<std::string>();
  if (c.recompute) variant.recompute = Recompute::Stage;
  experiment.lanes = {{Device::cpu(0), "", 1}};
  for (const double share : c.cuts) {
    variant.cuts->push_back(blocks[static_cast<std::size_t>(share * static_cast<double>(blocks.size()))].name);
    experiment.lanes.push_back({Device::cpu(1), "", 1});
  }
  experiment.variants = {variant};
  return experiment;
}

EqualityReport reportOf(const ExportedCase& c) {
  const auto resolution = resolve(experimentOf(c));
  Result<EqualityReport> report = checkEquality(*resolution, 3, {});
  EXPECT_TRUE(report.ok()) << c.what << ": " << report.error().message;
  return report.ok() ? std::move(*report) : EqualityReport{};
}

TEST(ExportedEquality, HoldsToTheBitInOneProcess) {
  const ExportedCase cases[] = {
      {"a cut through residual sums", "resnet18", ScheduleKind::OneFOneB, {0.3}, 3},
      {"skips over a stage, one sample each", "unet", ScheduleKind::OneFOneB, {0.3, 0.6}, 1},
      {"the same, backwards split", "unet", ScheduleKind::ZbH1, {0.5}, 1},
      {"concatenations", "densenet", ScheduleKind::Gpipe, {0.4, 0.7}, 2},
      {"the same in the other layout", "densenet", ScheduleKind::ZbH1, {0.5}, 2, Layout::Contiguous},
      {"a tied embedding in one stage", "gpt2", ScheduleKind::ZbH1, {}, 2},
      {"the same in an order of its own", "bert", ScheduleKind::List, {}, 1},
      {"the encoder's layers share a table", "t5", ScheduleKind::ZbH1, {}, 2},
      {"attention whose rows are not turned", "encoder", ScheduleKind::ZbH1, {0.5}, 2},
      {"a recurrent layer that is computed again",
       "lstm",
       ScheduleKind::OneFOneB,
       {0.7},
       2,
       Layout::Contiguous,
       OptimizerKind::Sgd,
       true},
      {"attention and convolutions computed again",
       "swin",
       ScheduleKind::ZbH1,
       {0.5},
       2,
       Layout::ChannelsLast,
       OptimizerKind::Sgd,
       true},
  };
  for (const ExportedCase& c : cases) {
    const EqualityReport report = reportOf(c);
    ASSERT_EQ(report.variants.size(), 1u) << c.what;
    EXPECT_EQ(verdictOf(report.variants[0]), EqualityVerdict::Bitwise)
        << c.what << ": " << equalityStatus(report).error().message;
    EXPECT_TRUE(report.variants[0].bitwise_wanted) << c.what;
  }
}

TEST(ExportedEquality, IsRoundingWhereAParameterIsInSeveralStages) {
  const EqualityReport report =
      reportOf({"tied apart", "bert", ScheduleKind::OneFOneB, {0.5}, 2, Layout::Contiguous, OptimizerKind::Adam});
  ASSERT_EQ(report.variants.size(), 1u);
  EXPECT_EQ(verdictOf(report.variants[0]), EqualityVerdict::Rounding) << equalityStatus(report).error().message;
  EXPECT_THAT(report.variants[0].groups[1].rounding, ::testing::Contains(HasSubstr("key.bias")));
  ASSERT_EQ(report.notes.size(), 2u);
  EXPECT_THAT(report.notes[1], HasSubstr("rounding alone moves"));
}

}  // namespace
}  // namespace lanelab
