// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/placement_prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/experiment/edits/balanced_cuts.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/memory/variant_memory.h"
#include "engine/sim/measured_costs.h"
#include "tests/unit/advise/measured_world.h"

namespace lanelab {
namespace {

using ::testing::SizeIs;

Experiment pipelineOf(int lanes, std::vector<std::string> cuts) {
  Experiment experiment = test::resnetOn(lanes);
  experiment.variants = {test::pipelineCutAt(std::move(cuts))};
  return experiment;
}

StepPredictor estimated(const Experiment& experiment, const Resolution& resolution) {
  return StepPredictor(estimatedBlockTimes(experiment, resolution.model()));
}

double stepOf(const Experiment& experiment) {
  const auto resolution = test::resolved(experiment);
  const auto predicted = predictPlacement(resolution->variants().front(), estimated(experiment, *resolution));
  EXPECT_TRUE(predicted);
  return predicted ? predicted->step_seconds : 0;
}

TEST(PlacementPrediction, OfOneLaneIsAllMacsAtTheAssumedSpeedWithoutABubble) {
  Experiment experiment = test::resnetOn(1);
  VariantConfig single;
  single.name = "Single";
  experiment.variants = {single};
  const auto resolution = test::resolved(experiment);
  const auto predicted = predictPlacement(resolution->variants().front(), estimated(experiment, *resolution));
  ASSERT_TRUE(predicted);
  const double macs = 3.0 * static_cast<double>(resolution->model().macs()) * experiment.data.batch;
  EXPECT_NEAR(predicted->step_seconds, macs / kEstimatedCpuMacs, 1e-6);
  EXPECT_DOUBLE_EQ(predicted->bubble, 0);
  EXPECT_NEAR(predicted->idle, 0, 1e-9);
}

TEST(PlacementPrediction, OfAPipelineHasTheBubbleOfItsStages) {
  const Experiment experiment = pipelineOf(2, {"layer3.0"});
  const auto resolution = test::resolved(experiment);
  const auto predicted = predictPlacement(resolution->variants().front(), estimated(experiment, *resolution));
  ASSERT_TRUE(predicted);
  EXPECT_NEAR(predicted->bubble, 1.0 / 9, 0.06) << "two stages, eight micro-batches";
  EXPECT_GE(predicted->idle, predicted->bubble);
}

TEST(PlacementPrediction, WithoutAStepBarrierIsOfThePeriod) {
  Experiment experiment = pipelineOf(2, {"layer3.0"});
  experiment.variants[0].schedule = ScheduleKind::ZbH1;
  const auto predictedFor = [&](bool step_barrier) {
    experiment.training.step_barrier = step_barrier;
    const auto resolution = test::resolved(experiment);
    const ResolvedVariant& variant = resolution->variants().front();
    const StepPredictor times(estimatedBlockTimes(experiment, resolution->model()));
    const auto predicted = predictPlacement(variant, times);
    EXPECT_TRUE(predicted);
    EXPECT_DOUBLE_EQ(predicted->step_seconds, times.seconds(*variant.plan()));
    return *predicted;
  };
  const PlacementPrediction with = predictedFor(true), without = predictedFor(false);
  EXPECT_LT(without.step_seconds, 0.99 * with.step_seconds);
  EXPECT_LT(without.idle, with.idle);
  EXPECT_EQ(with.window, WindowKind::Step);
  EXPECT_EQ(without.window, WindowKind::Period);
  experiment.variants[0].schedule = ScheduleKind::Gpipe;
  EXPECT_NEAR(predictedFor(false).step_seconds, predictedFor(true).step_seconds, 1e-9) << "whole backwards";
}

TEST(PlacementPrediction, TwiceTheThreadsHalveTheEstimate) {
  Experiment experiment = pipelineOf(2, {"layer3.0"});
  for (LaneConfig& lane : experiment.lanes) lane.threads = 2;
  EXPECT_LT(stepOf(experiment), 0.6 * stepOf(pipelineOf(2, {"layer3.0"})));
}

TEST(PlacementPrediction, TheEstimatesErrorIsThatOfTheMeasuredSteps) {
  RunRecord record;
  record.experiment = pipelineOf(2, {"layer3.0"});
  const std::string name = record.experiment.variants[0].name;
  const double estimate = stepOf(record.experiment);
  EXPECT_FALSE(estimateErrorIn(record, name));
  VariantRecord variant;
  variant.name = name;
  for (const double factor : {3.0, 2.0, 9.0}) variant.repeats.push_back({factor, {factor * estimate}, {}});
  record.variants = {variant};
  ASSERT_TRUE(estimateErrorIn(record, name));
  EXPECT_NEAR(*estimateErrorIn(record, name), 1 / 3.0 - 1, 1e-9);
  EXPECT_FALSE(estimateErrorIn(record, "Nobody"));
}

TEST(PlacementPrediction, BlockTimesOfAnotherModelPredictNothing) {
  const Experiment experiment = pipelineOf(2, {"layer3.0"});
  const auto resolution = test::resolved(experiment), other = test::resolved(test::resnetOn(2, "resnet18"));
  EXPECT_FALSE(predictPlacement(resolution->variants().front(), estimated(experiment, *other)));
}

TEST(PlacementPrediction, ATraceOfTheRunPredictsWhatTheRunTook) {
  const Experiment experiment = pipelineOf(2, {"layer3.0"});
  const auto resolution = test::resolved(experiment);
  const ResolvedVariant& variant = resolution->variants().front();
  const VariantPlan& plan = *variant.plan();
  const StepCosts costs = test::randomCosts(resolution->model(), 1);
  const double truth = simulate(plan.schedule, plan.stages, costs).step_seconds;
  const auto trace = test::traceOf(experiment, resolution->model(), plan, costs);
  const auto times = tracedBlockTimes(*trace, variant, experiment, "2026-11-22");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->origin, BlockTimes::Origin::Traced);
  EXPECT_EQ(times->day, "2026-11-22");
  const auto predicted = predictPlacement(variant, StepPredictor(*times));
  ASSERT_TRUE(predicted);
  EXPECT_NEAR(predicted->step_seconds, truth, 0.02 * truth);
  Experiment other = experiment;
  other.data.shape = {3, 32, 32};
  EXPECT_FALSE(tracedBlockTimes(*trace, variant, other, "")) << "other images take other times";
}

TEST(Balanced, NoOtherCutIsPredictedFaster) {
  const Experiment start = pipelineOf(2, {"layer1.0"});
  const auto resolution = test::resolved(start);
  const ResolvedVariant& variant = resolution->variants().front();
  const auto balance = balanced(variant, estimated(start, *resolution));
  ASSERT_TRUE(balance.ok()) << balance.error().message;
  ASSERT_THAT(*balance->cuts, SizeIs(1));
  const double best = stepOf(pipelineOf(2, *balance->cuts));
  for (std::size_t block = 1; block < resolution->model().blocks.size(); ++block)
    EXPECT_LE(best, 1.0001 * stepOf(pipelineOf(2, {resolution->model().blocks[block].name})));
}

TEST(Balanced, WithoutAStepBarrierNoOtherCutHasAShorterPeriod) {
  Experiment experiment = pipelineOf(2, {"layer1.0"});
  experiment.variants[0].schedule = ScheduleKind::List;
  experiment.variants[0].split_size = 16;
  experiment.training.step_barrier = false;
  const auto resolution = test::resolved(experiment);
  const auto balance = balanced(resolution->variants().front(), estimated(experiment, *resolution));
  ASSERT_TRUE(balance.ok()) << balance.error().message;
  const auto periodOf = [&](const std::vector<std::string>& cuts) {
    experiment.variants[0].cuts = cuts;
    return stepOf(experiment);
  };
  const double best = periodOf(*balance->cuts);
  for (std::size_t block = 1; block < resolution->model().blocks.size(); ++block)
    EXPECT_LE(best, 1.0001 * periodOf({resolution->model().blocks[block].name}));
}

TEST(Balanced, ReplicasAndRoundsKeepTheirStages) {
  Experiment ddp = pipelineOf(4, {"layer1.0"});
  ddp.variants[0].strategy = Strategy::Ddp;
  ddp.variants[0].replicas = 2;
  const auto replicated = test::resolved(ddp);
  const auto balance = balanced(replicated->variants().front(), estimated(ddp, *replicated));
  ASSERT_TRUE(balance.ok()) << balance.error().message;
  EXPECT_THAT(*balance->cuts, SizeIs(1));
  Experiment rounds = pipelineOf(2, {"layer1.0"});
  setSchedule(rounds, test::resolved(rounds)->model(), ScheduleKind::InterleavedOneFOneB, rounds.variants[0]);
  const auto looped = test::resolved(rounds);
  const auto more = balanced(looped->variants().front(), estimated(rounds, *looped));
  ASSERT_TRUE(more.ok()) << more.error().message;
  EXPECT_EQ(more->cuts->size(), rounds.variants[0].cuts->size());
}

/// Of a variant of the experiment, by estimated block times.
double stepOf(const Experiment& experiment, const VariantConfig& variant) {
  Experiment own = experiment;
  own.variants = {variant};
  return stepOf(own);
}

TEST(Balanced, WithSeveralStagesALaneNoNeighbouringCutIsPredictedFaster) {
  for (const ScheduleKind schedule : {ScheduleKind::InterleavedOneFOneB, ScheduleKind::ZbV}) {
    Experiment experiment = pipelineOf(2, {"layer1.0"});
    setSchedule(experiment, test::resolved(experiment)->model(), schedule, experiment.variants[0]);
    const auto resolution = test::resolved(experiment);
    const auto balance = balanced(resolution->variants().front(), estimated(experiment, *resolution));
    ASSERT_TRUE(balance.ok()) << balance.error().message;
    const double best = stepOf(experiment, *balance);
    const auto& blocks = resolution->model().blocks;
    for (std::size_t cut = 0; cut < balance->cuts->size(); ++cut) {
      for (const BlockSpec& block : blocks) {
        VariantConfig moved = *balance;
        (*moved.cuts)[cut] = block.name;
        experiment.variants = {moved};
        if (!test::resolved(experiment)->variants().front().plan().ok()) continue;
        EXPECT_LE(best, 1.0001 * stepOf(experiment)) << toWord(schedule) << ": " << block.name;
      }
    }
    experiment.variants = {*balance};
    const auto again = balanced(test::resolved(experiment)->variants().front(), estimated(experiment, *resolution));
    EXPECT_EQ(*again, *balance) << "as it is";
  }
}

TEST(Balanced, StaysWithinTheLimitsOfItsLanes) {
  Experiment experiment = pipelineOf(2, {"layer1.0"});
  const auto free = test::resolved(experiment);
  const StepPredictor times = estimated(experiment, *free);
  const VariantConfig fastest = *balanced(free->variants().front(), times);
  const auto placed = free->with(fastest);
  const std::int64_t peak = forecastMemory(placed->variants().front())[0].at_peak.total();
  experiment.lanes[0].memory_limit_mib = std::floor(static_cast<double>(peak) / (1024 * 1024));
  const auto tight = test::resolved(experiment);
  const VariantConfig smaller = *balanced(tight->variants().front(), times);
  EXPECT_NE(smaller, fastest);
  EXPECT_TRUE(fitsLanes(experiment, forecastMemory(tight->with(smaller)->variants().front()), {}));
  experiment.lanes[0].memory_limit_mib = 1;
  const auto none = balanced(test::resolved(experiment)->variants().front(), times);
  ASSERT_FALSE(none.ok());
  EXPECT_THAT(none.error().message, ::testing::HasSubstr("within its memory limit"));
}

TEST(Balanced, OneStageHasNothingToBalance) {
  Experiment experiment = test::resnetOn(1);
  experiment.variants = {test::pipelineCutAt({})};
  const auto resolution = test::resolved(experiment);
  const auto balance = balanced(resolution->variants().front(), estimated(experiment, *resolution));
  ASSERT_FALSE(balance.ok());
  EXPECT_THAT(balance.error().message, ::testing::HasSubstr("nothing to balance"));
}

}  // namespace
}  // namespace lanelab
