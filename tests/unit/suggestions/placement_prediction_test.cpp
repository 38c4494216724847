// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/placement_prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/experiment/edits/experiment_edits.h"
#include "tests/unit/suggestions/measured_world.h"

namespace lanelab {
namespace {

using ::testing::SizeIs;

Experiment pipelineOf(int lanes, std::vector<std::string> cuts) {
  Experiment experiment = test::resnetOn(lanes);
  experiment.variants = {test::pipelineCutAt(std::move(cuts))};
  return experiment;
}

double stepOf(const Experiment& experiment) {
  const auto resolution = resolve(experiment);
  const auto predicted =
      predictPlacement(resolution->variants().front(), estimatedBlockTimes(experiment, resolution->model()));
  EXPECT_TRUE(predicted);
  return predicted ? predicted->step_seconds : 0;
}

TEST(PlacementPrediction, OfOneLaneIsAllMacsAtTheAssumedSpeedWithoutABubble) {
  Experiment experiment = test::resnetOn(1);
  VariantConfig single;
  single.name = "Single";
  experiment.variants = {single};
  const auto resolution = resolve(experiment);
  const auto predicted =
      predictPlacement(resolution->variants().front(), estimatedBlockTimes(experiment, resolution->model()));
  ASSERT_TRUE(predicted);
  const double macs = 3.0 * static_cast<double>(resolution->model().macs()) * experiment.data.batch;
  EXPECT_NEAR(predicted->step_seconds, macs / kEstimatedCpuMacs, 1e-6);
  EXPECT_DOUBLE_EQ(predicted->bubble, 0);
  EXPECT_NEAR(predicted->idle, 0, 1e-9);
}

TEST(PlacementPrediction, OfAPipelineHasTheBubbleOfItsStages) {
  const Experiment experiment = pipelineOf(2, {"layer3.0"});
  const auto resolution = resolve(experiment);
  const auto predicted =
      predictPlacement(resolution->variants().front(), estimatedBlockTimes(experiment, resolution->model()));
  ASSERT_TRUE(predicted);
  EXPECT_NEAR(predicted->bubble, 1.0 / 9, 0.06) << "two stages, eight micro-batches";
  EXPECT_GE(predicted->idle, predicted->bubble);
}

TEST(PlacementPrediction, TwiceTheThreadsHalveTheEstimate) {
  Experiment experiment = pipelineOf(2, {"layer3.0"});
  for (LaneConfig& lane : experiment.lanes) lane.threads = 2;
  EXPECT_LT(stepOf(experiment), 0.6 * stepOf(pipelineOf(2, {"layer3.0"})));
}

TEST(PlacementPrediction, BlockTimesOfAnotherModelPredictNothing) {
  const Experiment experiment = pipelineOf(2, {"layer3.0"});
  const auto resolution = resolve(experiment), other = resolve(test::resnetOn(2, "resnet18"));
  EXPECT_FALSE(predictPlacement(resolution->variants().front(), estimatedBlockTimes(experiment, other->model())));
}

TEST(PlacementPrediction, ATraceOfTheRunPredictsWhatTheRunTook) {
  const Experiment experiment = pipelineOf(2, {"layer3.0"});
  const auto resolution = resolve(experiment);
  const ResolvedVariant& variant = resolution->variants().front();
  const VariantPlan& plan = *variant.plan();
  const StepCosts costs = test::randomCosts(resolution->model(), 1);
  const double truth = simulate(plan.schedule, plan.stages, costs).step_seconds;
  const auto trace = test::traceOf(experiment, resolution->model(), plan, costs);
  const auto times = tracedBlockTimes(*trace, variant, experiment, "2026-11-22");
  ASSERT_TRUE(times);
  EXPECT_EQ(times->origin, BlockTimes::Origin::Traced);
  EXPECT_EQ(times->day, "2026-11-22");
  const auto predicted = predictPlacement(variant, *times);
  ASSERT_TRUE(predicted);
  EXPECT_NEAR(predicted->step_seconds, truth, 0.02 * truth);
  Experiment other = experiment;
  other.data.shape = {3, 32, 32};
  EXPECT_FALSE(tracedBlockTimes(*trace, variant, other, "")) << "other images take other times";
}

TEST(BalancedCuts, NoOtherCutIsPredictedFaster) {
  const Experiment start = pipelineOf(2, {"layer1.0"});
  const auto resolution = resolve(start);
  const ResolvedVariant& variant = resolution->variants().front();
  const auto cuts = balancedCuts(variant, estimatedBlockTimes(start, resolution->model()));
  ASSERT_TRUE(cuts.ok()) << cuts.error().message;
  ASSERT_THAT(*cuts, SizeIs(1));
  const double best = stepOf(pipelineOf(2, *cuts));
  for (std::size_t block = 1; block < resolution->model().blocks.size(); ++block)
    EXPECT_LE(best, 1.0001 * stepOf(pipelineOf(2, {resolution->model().blocks[block].name})));
}

TEST(BalancedCuts, ReplicasAndRoundsKeepTheirStages) {
  Experiment ddp = pipelineOf(4, {"layer1.0"});
  ddp.variants[0].strategy = Strategy::Ddp;
  ddp.variants[0].replicas = 2;
  const auto replicated = resolve(ddp);
  const auto cuts = balancedCuts(replicated->variants().front(), estimatedBlockTimes(ddp, replicated->model()));
  ASSERT_TRUE(cuts.ok()) << cuts.error().message;
  EXPECT_THAT(*cuts, SizeIs(1));
  Experiment rounds = pipelineOf(2, {"layer1.0"});
  setSchedule(rounds, resolve(rounds)->model(), ScheduleKind::InterleavedOneFOneB, rounds.variants[0]);
  const auto looped = resolve(rounds);
  const auto more = balancedCuts(looped->variants().front(), estimatedBlockTimes(rounds, looped->model()));
  ASSERT_TRUE(more.ok()) << more.error().message;
  EXPECT_EQ(more->size(), rounds.variants[0].cuts->size());
}

TEST(BalancedCuts, OneStageHasNothingToBalance) {
  Experiment experiment = test::resnetOn(1);
  experiment.variants = {test::pipelineCutAt({})};
  const auto resolution = resolve(experiment);
  const auto cuts = balancedCuts(resolution->variants().front(), estimatedBlockTimes(experiment, resolution->model()));
  ASSERT_FALSE(cuts.ok());
  EXPECT_THAT(cuts.error().message, ::testing::HasSubstr("nothing to balance"));
}

}  // namespace
}  // namespace lanelab
