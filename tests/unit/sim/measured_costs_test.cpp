// SPDX-License-Identifier: GPL-3.0-only
// Costs from a profile: at the measured sizes, between and beyond them.
#include <gtest/gtest.h>

#include "engine/advise/step_predictor.h"
#include "engine/schedule/generate.h"
#include "engine/sim/measured_costs.h"

namespace lanelab {
namespace {

Timing time(double seconds) { return {seconds, seconds, seconds, 5}; }

/// Two blocks; at n samples the first takes forward a, the second 2 a, backwards twice that, of which half is weight
/// part.
BlockProfile::Size sizeOf(int samples, double a, double slowdown) {
  BlockProfile::Size size;
  size.samples = samples;
  for (const double forward : {a, 2 * a})
    size.blocks.push_back({time(forward), time(2 * forward), time(forward), time(forward), {}});
  size.blocks[0].transfer = time(a / 10);
  size.forward = time(3 * a);
  size.backward = time(6 * a);
  size.all_lanes_slowdown = slowdown;
  return size;
}

BlockProfile profileOf(std::vector<BlockProfile::Size> sizes) {
  BlockProfile profile;
  profile.key.lanes = 3;
  profile.block_names = {"a", "b"};
  profile.updates = {time(0.25), time(0.5)};
  profile.sizes = std::move(sizes);
  return profile;
}

TEST(CostsAt, AMeasuredSizeIsAsMeasured) {
  const CostModel costs = costsAt(profileOf({sizeOf(2, 1, 1.5), sizeOf(4, 3, 1.1)}), 2);
  ASSERT_EQ(costs.blocks.size(), 2u);
  EXPECT_EQ(costs.blocks[1].name, "b");
  EXPECT_DOUBLE_EQ(costs.blocks[0].forward, 1);
  EXPECT_DOUBLE_EQ(costs.blocks[1].backward, 4);
  EXPECT_DOUBLE_EQ(costs.blocks[1].backward_weight, 2);
  EXPECT_DOUBLE_EQ(costs.blocks[1].update, 0.5);
  ASSERT_EQ(costs.transfers.size(), 1u);
  EXPECT_DOUBLE_EQ(costs.transfers[0], 0.1);
  EXPECT_DOUBLE_EQ(costs.contention, 0.25) << "half as long again with two other lanes";
}

TEST(CostsAt, BetweenTwoSizesLieTheLines) {
  const CostModel costs = costsAt(profileOf({sizeOf(2, 1, 1.5), sizeOf(4, 3, 1.1), sizeOf(8, 4, 1.1)}), 3);
  EXPECT_DOUBLE_EQ(costs.blocks[0].forward, 2);
  EXPECT_DOUBLE_EQ(costs.blocks[0].backward_weight, 2);
  EXPECT_DOUBLE_EQ(costs.transfers[0], 0.2);
  EXPECT_NEAR(costs.contention, 0.15, 1e-12);
}

TEST(CostsAt, BeyondTheSizesTheNearestTwoGoOnButTheSlowdownStays) {
  const BlockProfile profile = profileOf({sizeOf(2, 1, 1.5), sizeOf(4, 1.5, 1.1)});
  EXPECT_DOUBLE_EQ(costsAt(profile, 8).blocks[0].forward, 2.5);
  EXPECT_DOUBLE_EQ(costsAt(profile, 1).blocks[0].forward, 0.75);
  EXPECT_NEAR(costsAt(profile, 8).contention, 0.05, 1e-12);
  EXPECT_NEAR(costsAt(profile, 1).contention, 0.25, 1e-12);
}

TEST(CostsAt, NoLineGoesBelowATenthOfProportion) {
  const BlockProfile profile = profileOf({sizeOf(4, 1, 1), sizeOf(5, 10, 1)});  // the line is at -26 for one sample
  EXPECT_DOUBLE_EQ(costsAt(profile, 1).blocks[0].forward, 0.025);
}

TEST(CostsAt, OneSizeAloneIsInProportion) {
  const CostModel costs = costsAt(profileOf({sizeOf(4, 2, 1.2)}), 6);
  EXPECT_DOUBLE_EQ(costs.blocks[0].forward, 3);
  EXPECT_DOUBLE_EQ(costs.blocks[1].backward, 12);
  EXPECT_NEAR(costs.contention, 0.1, 1e-12);
}

TEST(CostsAt, BlocksAddUpToTheChainWithoutItsOverhead) {
  BlockProfile profile = profileOf({sizeOf(4, 2, 1)});
  profile.action_overhead = time(0.5);
  profile.sizes[0].forward = time(9.5);  // where the blocks' own medians add up to 6
  const CostModel costs = costsAt(profile, 4);
  EXPECT_DOUBLE_EQ(costs.blocks[0].forward + costs.blocks[1].forward, 9);
  EXPECT_DOUBLE_EQ(costs.blocks[1].forward, 2 * costs.blocks[0].forward);
  EXPECT_DOUBLE_EQ(costs.action_overhead, 0.5);
}

TEST(CostsAt, PartsThatWereNotMeasuredAreZero) {
  BlockProfile profile = profileOf({sizeOf(4, 2, 1)});
  for (BlockTiming& block : profile.sizes[0].blocks) block.backward_input = block.backward_weight = {};
  EXPECT_EQ(costsAt(profile, 4).blocks[0].backward_weight, 0);
  EXPECT_EQ(costsAt(profile, 4).blocks[0].backward, 4);
}

TEST(CostsAt, AProfileWithoutSizesHasNoCosts) { EXPECT_TRUE(costsAt(profileOf({}), 4).blocks.empty()); }

TEST(CostsAt, PartsCostTheirOwnSumWhereAScheduleSplitsBackwards) {
  BlockProfile profile = profileOf({sizeOf(4, 2, 1)});
  profile.sizes[0].blocks[0].backward_input = time(3);  // with a weight part of 2, where the whole backward takes 4
  const CostModel costs = costsAt(profile, 4, Backwards::Parts);
  EXPECT_DOUBLE_EQ(costs.blocks[0].backward, 5);
  EXPECT_DOUBLE_EQ(costs.blocks[0].backward_weight, 2);
  EXPECT_DOUBLE_EQ(costsAt(profile, 4).blocks[0].backward, 4);
}

TEST(SlownessOf, IsTheRatioOfTotalTimes) {
  const BlockProfile base = profileOf({sizeOf(2, 1, 1), sizeOf(4, 2, 1)});
  EXPECT_DOUBLE_EQ(slownessOf(base, profileOf({sizeOf(2, 3, 1), sizeOf(4, 8, 1)}), 2), 3);
  EXPECT_DOUBLE_EQ(slownessOf(base, profileOf({sizeOf(8, 2, 1)}), 4), 0.5) << "4 samples in proportion to 8";
  EXPECT_DOUBLE_EQ(slownessOf(base, profileOf({}), 4), 1);
}

/// Stage a on lane 0, stage b on lane 1.
const std::vector<Stage> kStages = {{StageId(0), LaneId(0), BlockId(0), BlockId(1)},
                                    {StageId(1), LaneId(1), BlockId(1), BlockId(2)}};

Schedule twoStages(int micro_batches, const std::string& name = "gpipe") {
  return *generateSchedule(*parseScheduleName(name), {LaneId(0), LaneId(1)}, 2, micro_batches, WindowKind::Step);
}

StepCosts stepCostsOf(const std::vector<BlockProfile>& of_lane, const Schedule& schedule, MicroBatches micro_batches,
                      std::vector<double> forward_again = {}) {
  VariantPlan plan;
  plan.schedule = schedule;
  plan.micro_batches = micro_batches;
  plan.forward_again = std::move(forward_again);
  LaneProfiles times;
  times.profiles = of_lane;
  for (std::size_t lane = 0; lane < of_lane.size(); ++lane) times.of_lane.push_back(lane);
  return StepPredictor(times).costs(plan);
}

TEST(StepCostsOf, TheLastMicroBatchHasItsOwnCostsAndALaneItsSlowness) {
  const BlockProfile fast = profileOf({sizeOf(2, 1, 1), sizeOf(4, 2, 1)});
  const BlockProfile slow = profileOf({sizeOf(2, 3, 1), sizeOf(4, 6, 1)});
  const StepCosts costs = stepCostsOf({fast, slow}, twoStages(3), {10, 4});
  EXPECT_DOUBLE_EQ(costs.whole.blocks[0].forward, 2);
  ASSERT_TRUE(costs.last) << "10 by 4 is 4, 4, 2";
  EXPECT_DOUBLE_EQ(costs.last->blocks[0].forward, 1);
  EXPECT_EQ(costs.whole.lane_slowness, (std::vector<double>{1, 3}));
  EXPECT_FALSE(stepCostsOf({fast, fast}, twoStages(2), {8, 4}).last);
}

TEST(StepCostsOf, ASimulatedStepIsWhatAPersonWorksOut) {
  // At 4 samples: forwards 2 and 4, backwards 4 and 8, transfer 0.2, updates 0.25 and 0.5; without contention.
  const BlockProfile profile = profileOf({sizeOf(4, 2, 1)});
  const Schedule schedule = twoStages(2);
  // Lane 1 begins at 2.2 and computes 2 (4 + 8) without a pause; the last gradient travels 0.2, then lane 0 has 4 and
  // its update.
  EXPECT_NEAR(simulate(schedule, kStages, stepCostsOf({profile, profile}, schedule, {8, 4})).step_seconds,
              2.2 + 24 + 0.2 + 4 + 0.25, 1e-12);
}

TEST(StepCostsOf, AStageThatRecomputesTakesItsForwardAgain) {
  const BlockProfile profile = profileOf({sizeOf(4, 2, 1)});
  const StepCosts costs = stepCostsOf({profile, profile}, twoStages(2), {8, 4}, {0, 1});
  EXPECT_DOUBLE_EQ(costs.whole.blocks[0].backward, 4);
  EXPECT_DOUBLE_EQ(costs.whole.blocks[1].backward, 8 + 4);
}

TEST(StepCostsOf, AScheduleThatSplitsBackwardsIsSimulatedWithItsParts) {
  BlockProfile profile = profileOf({sizeOf(4, 2, 1)});
  profile.sizes[0].blocks[0].backward_input = time(3);
  EXPECT_DOUBLE_EQ(stepCostsOf({profile, profile}, twoStages(2, "zb-h1"), {8, 4}).whole.blocks[0].backward, 5);
  EXPECT_DOUBLE_EQ(stepCostsOf({profile, profile}, twoStages(2, "1f1b"), {8, 4}).whole.blocks[0].backward, 4);
}

}  // namespace
}  // namespace lanelab
