// SPDX-License-Identifier: GPL-3.0-only
// What a sweep predicts and which split sizes it then measures, with times of a fake executor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/advise/step_predictor.h"
#include "engine/advise/sweep_plan.h"
#include "tests/support/fake_executor.h"
#include "tests/support/resolved.h"
#include "tests/support/seen_progress.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class SweepPlanTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder);
    VariantConfig pipeline;
    pipeline.name = "Pipeline";
    pipeline.strategy = Strategy::Pipeline;
    pipeline.split_size = 2;
    pipeline.cuts = std::vector<std::string>{"net2"};
    experiment.variants = {pipeline};  // batch 8
    request.report = [this](const Progress& progress) {
      seen.push_back(progress);
      if (told.empty() || told.back() != progress.phase) told.push_back(progress.phase);
    };
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  Result<SweepPlan> plan() { return planSweep(*test::resolved(experiment), request, *executor, store, {}); }

  std::vector<int> measuredSplits() {
    std::vector<int> splits;
    const auto planned = plan();
    EXPECT_TRUE(planned.ok()) << planned.error().message;
    for (const VariantConfig& variant : planned->resolution->experiment().variants)
      splits.push_back(*variant.split_size);
    return splits;
  }

  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("sweep-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
  const ProfileStore store{folder.string()};
  Experiment experiment = test::smallExperiment();
  std::unique_ptr<Executor> executor = makeFakeExecutor();
  SweepRequest request;
  std::vector<Progress> seen;
  std::vector<std::string> told;  ///< phases
};

TEST_F(SweepPlanTest, AllSplitSizesArePredictedAndMeasured) {
  request.split_sizes = {1, 2, 4, 8};
  EXPECT_THAT(measuredSplits(), ElementsAre(1, 2, 4, 8));
  const auto planned = plan();
  ASSERT_TRUE(planned.ok());
  ASSERT_EQ(planned->predictions.size(), 4u);
  EXPECT_EQ(planned->predictions[3].variant, "Split 8");
  EXPECT_EQ(planned->predictions[3].micro_batches, 1);
  const std::optional<LaneProfiles> stored =
      storedProfiles(*planned->resolution, commonModes(experiment.training), *executor, store);
  ASSERT_TRUE(stored);
  const StepPredictor predictor(*stored);
  for (std::size_t i = 0; i < 4; ++i) {
    const PredictedTime step = predictor.step(*planned->resolution->variants()[i].plan());
    EXPECT_EQ(planned->predictions[i].step_seconds, step.seconds);
    EXPECT_EQ(planned->predictions[i].range, step.range);
  }
}

TEST_F(SweepPlanTest, OnlyTheBestPredictionsAreMeasuredWhereFewAreWanted) {
  request.split_sizes = {1, 2, 4, 8};
  request.best = 1;
  const auto planned = plan();
  ASSERT_TRUE(planned.ok()) << planned.error().message;
  ASSERT_EQ(planned->predictions.size(), 4u);
  const int best = std::ranges::min_element(planned->predictions, {}, &StepPrediction::step_seconds)->split_size;
  EXPECT_NE(best, 2) << "the present one, which is measured, too";
  EXPECT_THAT(measuredSplits(), UnorderedElementsAre(2, best));
}

TEST_F(SweepPlanTest, WithoutSplitSizesTheUsualOnesAreTaken) { EXPECT_THAT(measuredSplits(), ElementsAre(1, 2, 3, 4)); }

TEST_F(SweepPlanTest, OneSampleIsLeftOutWhereABatchNormCouldNotTrainOnIt) {
  experiment.model.arch = "resnet18";
  experiment.data.shape = {3, 32, 32};  // layer4 sees 1x1
  experiment.variants[0].cuts = std::vector<std::string>{"layer3.0"};
  EXPECT_THAT(measuredSplits(), ElementsAre(2, 3, 4));
  request.split_sizes = {1, 3};
  const auto planned = plan();
  ASSERT_FALSE(planned.ok());
  EXPECT_THAT(planned.error().message, HasSubstr("one sample"));
}

TEST_F(SweepPlanTest, BlocksAreMeasuredOnceAndOnRequestAnew) {
  request.split_sizes = {3};  // 3, 3, 2
  ASSERT_TRUE(plan().ok());
  EXPECT_THAT(told, ElementsAre("2", "3"));
  told.clear();
  ASSERT_TRUE(plan().ok());
  EXPECT_THAT(told, IsEmpty());
  request.refresh = true;
  ASSERT_TRUE(plan().ok());
  EXPECT_THAT(told, ElementsAre("2", "3"));
}

TEST_F(SweepPlanTest, MeasuringTwoKindsOfLanesIsOnePieceOfWork) {
  experiment.lanes[1].threads = 2;
  request.split_sizes = {3, 4};
  ASSERT_TRUE(plan().ok());
  test::expectSteadyProgress(seen);
  EXPECT_THAT(told, ElementsAre("2", "3", "4", "2", "3", "4"));
}

TEST_F(SweepPlanTest, NoFurtherSizeIsMeasuredAfterACancelAndNothingIsStored) {
  test::CancelAfter cancel(3);  // the first size begun and done, the second begun
  request.split_sizes = {3, 4};
  request.report = cancel.control().report;
  const auto planned = planSweep(*test::resolved(experiment), request, *executor, store, cancel.control().stop);
  ASSERT_FALSE(planned.ok());
  EXPECT_EQ(planned.error().kind, Error::Kind::Cancelled);
  EXPECT_EQ(cancel.seen(), 3);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(SweepPlanTest, NothingIsMeasuredForASweepThatCannotBe) {
  request.split_sizes = {9};
  const auto planned = plan();
  ASSERT_FALSE(planned.ok());
  EXPECT_THAT(planned.error().message, HasSubstr("from 1 to 8"));
  EXPECT_THAT(told, IsEmpty());
}

}  // namespace
}  // namespace lanelab
