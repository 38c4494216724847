// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/step_predictor.h"

#include <gtest/gtest.h>

#include "engine/schedule/generate.h"
#include "tests/unit/advise/measured_world.h"

namespace lanelab {
namespace {

Experiment ofSchedule(ScheduleKind schedule, int split_size = 4) {
  Experiment experiment = test::resnetOn(2);
  experiment.variants = {test::pipelineCutAt({"layer3.0"}, schedule, split_size)};
  return experiment;
}

BlockTimes timesOf(const Experiment& experiment, BlockTimes::Origin origin) {
  BlockTimes times = estimatedBlockTimes(experiment, test::resolved(experiment)->model());
  times.origin = origin;
  return times;
}

CostModel alike(const ModelSpec& model) {
  CostModel costs;
  for (const BlockSpec& block : model.blocks) costs.blocks.push_back({block.name, 1e-3, 3e-3, 1e-3, 0});
  costs.transfers.assign(model.blocks.size() - 1, 1e-4);
  return costs;
}

TEST(StepPredictor, MeasuredTimesGiveARangeEstimatesAndFilesNone) {
  const Experiment experiment = ofSchedule(ScheduleKind::OneFOneB);
  const auto resolution = test::resolved(experiment);
  const VariantPlan& plan = *resolution->variants().front().plan();
  const StepPredictor measured(timesOf(experiment, BlockTimes::Origin::Recorded));
  const PredictedTime step = measured.step(plan);
  ASSERT_TRUE(step.range);
  EXPECT_LT(step.range->low, step.seconds);
  EXPECT_GT(step.range->high, step.seconds);
  EXPECT_EQ(step.seconds, measured.simulation(plan).step_seconds);
  const StepPredictor estimated(timesOf(experiment, BlockTimes::Origin::Estimated));
  EXPECT_EQ(estimated.seconds(plan), step.seconds);
  EXPECT_FALSE(estimated.step(plan).range);
  EXPECT_FALSE(StepPredictor(alike(resolution->model())).step(plan).range);
}

TEST(StepPredictor, ARangeIsAsWideAsTheQuartilesOfItsBlockTimes) {
  const Experiment experiment = ofSchedule(ScheduleKind::Gpipe);
  const auto resolution = test::resolved(experiment);
  const VariantPlan& plan = *resolution->variants().front().plan();
  BlockTimes times = timesOf(experiment, BlockTimes::Origin::Recorded);
  for (BlockTiming& block : times.profiles.profiles[0].sizes[0].blocks) {
    for (Timing* const part : {&block.forward, &block.backward})
      *part = {part->median, 0.8 * part->median, 1.5 * part->median, 9};
  }
  const double seconds = StepPredictor(times).seconds(plan);
  const auto range = StepPredictor(times).step(plan).range;
  const double transfers = 1e-3 * seconds;  // have no spread
  const ForecastRange expected = rangeOfStep({seconds, 0.8 * seconds, 1.5 * seconds, 8, 1});
  ASSERT_TRUE(range);
  EXPECT_NEAR(range->low, expected.low, transfers);
  EXPECT_NEAR(range->high, expected.high, transfers);
}

TEST(StepPredictor, AStepOfBothWindowsIsInTheOrderOfEach) {
  for (const ScheduleKind schedule : knownSchedules()) {
    for (const bool barrier : {true, false}) {
      Experiment experiment = ofSchedule(ScheduleKind::OneFOneB);
      experiment.variants[0].cuts = {{"layer1.1", "layer2.1", "layer3.1"}};
      experiment.variants[0].schedule = schedule;
      experiment.variants[0].placement.reset();
      if (!goesRoundTheLanes(schedule)) experiment.variants[0].cuts = {{"layer3.0"}};
      experiment.training.step_barrier = barrier;
      const auto resolution = test::resolved(experiment);
      const ResolvedVariant& variant = resolution->variants().front();
      ASSERT_TRUE(variant.plan().ok()) << toWord(schedule) << ": " << variant.plan().error().message;
      const StepPredictor predictor(timesOf(experiment, BlockTimes::Origin::Estimated));
      const StepForecast both = predictor.bothWindows(variant, predictor.simulation(*variant.plan()));
      const auto secondsWith = [&](bool asked) {
        VariantConfig changed = variant.config();
        changed.step_barrier = asked;
        return predictor.seconds(*variant.with(changed)->variants().front().plan());
      };
      EXPECT_EQ(both.step_seconds, secondsWith(true)) << toWord(schedule);
      EXPECT_EQ(both.period_seconds, secondsWith(false)) << toWord(schedule);
    }
  }
}

TEST(StepPredictor, CostsOfAFileHoldAtEachMicroBatchSize) {
  for (const int split_size : {4, 5, 16}) {  // 32 samples: 8, 7 with a last one of 2, 2
    const Experiment experiment = ofSchedule(ScheduleKind::Gpipe, split_size);
    const auto resolution = test::resolved(experiment);
    const VariantPlan& plan = *resolution->variants().front().plan();
    const double stages[] = {8 * 4e-3, 10 * 4e-3};  // stem to layer2.3, layer3.0 to head
    EXPECT_NEAR(StepPredictor(alike(resolution->model())).seconds(plan),
                stages[0] + (plan.micro_batches.count() - 1) * stages[1] + stages[1] + 2e-4, 1e-9)
        << split_size;
  }
}

TEST(StepPredictor, LanesHaveTheFactorsThatAreGiven) {
  const Experiment experiment = ofSchedule(ScheduleKind::OneFOneB);
  const auto resolution = test::resolved(experiment);
  const VariantPlan& plan = *resolution->variants().front().plan();
  const StepPredictor plain(timesOf(experiment, BlockTimes::Origin::Recorded));
  const Simulation before = plain.simulation(plan), after = plain.onLanes({1, 3}).simulation(plan);
  EXPECT_NEAR(after.lanes[0].busy, before.lanes[0].busy, 1e-9);
  EXPECT_NEAR(after.lanes[1].busy, 3 * before.lanes[1].busy, 1e-9);
}

TEST(StepPredictor, OnlyTheCostsOfAFileOrderTheScheduleList) {
  const Experiment experiment = ofSchedule(ScheduleKind::List);
  const auto resolution = test::resolved(experiment);
  const ResolvedVariant& variant = resolution->variants().front();
  EXPECT_EQ(StepPredictor(timesOf(experiment, BlockTimes::Origin::Recorded)).ordered(variant), nullptr);
  const StepPredictor predictor(alike(resolution->model()));
  const auto ordered = predictor.ordered(variant);
  ASSERT_NE(ordered, nullptr);
  EXPECT_EQ(ordered->variants().front().config().stage_times,
            (std::vector<std::string>{"111111:222222:111111", "138889:277778:138889"}));
  EXPECT_EQ(predictor.ordered(ordered->variants().front()), nullptr) << "they are given now";
  const auto other = test::resolved(ofSchedule(ScheduleKind::ZbH1));
  EXPECT_EQ(predictor.ordered(other->variants().front()), nullptr) << "is not made of times";
}

TEST(StepPredictor, KnowsTheBlocksThatItsTimesAreOf) {
  const Experiment experiment = ofSchedule(ScheduleKind::OneFOneB);
  const auto own = test::resolved(experiment), three = test::resolved(test::resnetOn(3)),
             other = test::resolved(test::resnetOn(2, "resnet18"));
  const auto variantOf = [](const Resolution& resolution) {
    return resolution.with(test::pipelineCutAt({"layer3.0"}));
  };
  const auto asked = variantOf(*own), more = variantOf(*three), less = variantOf(*other);
  for (const StepPredictor& predictor :
       {StepPredictor(timesOf(experiment, BlockTimes::Origin::Estimated)), StepPredictor(alike(own->model()))}) {
    EXPECT_TRUE(predictor.knows(asked->variants().front()));
    EXPECT_FALSE(predictor.knows(less->variants().front()));
  }
  EXPECT_FALSE(StepPredictor(timesOf(experiment, BlockTimes::Origin::Estimated)).knows(more->variants().front()));
}

}  // namespace
}  // namespace lanelab
