// SPDX-License-Identifier: GPL-3.0-only
// Block times read back out of traces whose times are known.
#include "engine/advise/traced_profile.h"

#include "tests/unit/advise/measured_world.h"

namespace lanelab {
namespace {

struct ProfiledWorld {
  explicit ProfiledWorld(VariantConfig variant, int lanes = 2, unsigned seed = 1) : experiment(test::resnetOn(lanes)) {
    experiment.variants = {std::move(variant)};
    resolution = test::resolved(experiment);
    model = resolution->model();
    plan = *variantOfPlan().plan();
    costs = test::randomCosts(model, seed);
  }
  std::shared_ptr<const Trace> trace() const { return test::traceOf(experiment, model, plan, costs); }

  const ResolvedVariant& variantOfPlan() const { return resolution->variants().front(); }

  Experiment experiment;
  std::shared_ptr<const Resolution> resolution;
  ModelSpec model;
  VariantPlan plan;
  StepCosts costs;
};

TEST(TracedProfile, HasTheTimesOfEveryBlock) {
  const ProfiledWorld world(test::pipelineCutAt({"layer2.1", "layer3.4"}), 3);
  const auto profile = profileOfTrace(*world.trace(), world.variantOfPlan());
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->sizes.size(), 1u);
  EXPECT_EQ(profile->sizes[0].samples, 4);
  for (std::size_t i = 0; i < world.model.blocks.size(); ++i) {
    EXPECT_NEAR(profile->sizes[0].blocks[i].forward.median, world.costs.whole.blocks[i].forward, 2e-9) << i;
    EXPECT_NEAR(profile->sizes[0].blocks[i].backward.median, world.costs.whole.blocks[i].backward, 2e-9) << i;
    EXPECT_EQ(profile->sizes[0].blocks[i].forward.n, 8);
  }
}

TEST(TracedProfile, SharesUpdatesByParametersAndLinksByBytes) {
  ProfiledWorld world(test::pipelineCutAt({"layer2.0", "layer4.0"}), 3);
  for (BlockCost& block : world.costs.whole.blocks) block.update = 1e-3;
  world.costs.whole.transfers.assign(world.model.blocks.size() - 1, 2e-3);
  const auto profile = profileOfTrace(*world.trace(), world.variantOfPlan());
  ASSERT_TRUE(profile);
  double first = 0, parameters = 0;
  const Stage& stage = world.plan.stages[0];
  for (std::size_t i = 0; i < stage.end.index(); ++i) {
    first += profile->updates[i].median;
    parameters += static_cast<double>(world.model.blocks[i].parameters);
  }
  EXPECT_NEAR(first, 1e-3 * static_cast<double>(stage.end.index()), 1e-8);
  EXPECT_NEAR(profile->updates[1].median / first, static_cast<double>(world.model.blocks[1].parameters) / parameters,
              1e-6);
  const std::size_t measured = stage.end.index() - 1;
  EXPECT_NEAR(profile->sizes[0].blocks[measured].transfer.median, 2e-3, 1e-8);
  const double bytes = static_cast<double>(world.model.blocks[measured].output_bytes +
                                           world.model.blocks[world.plan.stages[1].end.index() - 1].output_bytes);
  EXPECT_NEAR(profile->sizes[0].blocks[0].transfer.median,
              4e-3 / bytes * static_cast<double>(world.model.blocks[0].output_bytes), 1e-8);
}

TEST(TracedProfile, CountsTheLossForTheLastBlockAndTheRestAsOverhead) {
  ProfiledWorld world(test::pipelineCutAt({"layer3.0"}));
  world.costs.whole.action_overhead = 1e-4;
  ProfiledWorld with_loss = world;
  with_loss.costs.whole.blocks.back().forward += 5e-4;
  // Actions as long as with the loss, blocks as long as without.
  Trace trace = *with_loss.trace();
  for (Track& track : trace.tracks) {
    if (track.kind == Track::Kind::Detail) {
      auto shorter = track.spans;
      shorter.clear();
      for (Span span : track.spans) {
        if (trace.nameOf(span) == "head" && span.phase == Phase::Forward) span.end -= 500000;
        shorter.push_back(span);
      }
      track.spans = shorter;
    }
  }
  const auto profile = profileOfTrace(trace, world.variantOfPlan());
  ASSERT_TRUE(profile);
  EXPECT_NEAR(profile->action_overhead.median, 1e-4, 5e-9);
  EXPECT_NEAR(profile->sizes[0].blocks.back().forward.median, with_loss.costs.whole.blocks.back().forward, 5e-9);
}

TEST(TracedProfile, SaysNothingWithoutBlocksOrWhereTheyAreLaunchesOnly) {
  const ProfiledWorld world(test::pipelineCutAt({"layer3.0"}));
  Trace bare = *world.trace();
  std::erase_if(bare.tracks, [](const Track& track) { return track.kind == Track::Kind::Detail; });
  EXPECT_FALSE(profileOfTrace(bare, world.variantOfPlan()));
  Trace launches = *world.trace();
  for (Track& track : launches.tracks) {
    if (track.kind != Track::Kind::Detail) continue;
    auto shorter = track.spans;
    shorter.clear();
    for (Span span : track.spans) {
      span.end = span.start + span.range().length() / 4;
      shorter.push_back(span);
    }
    track.spans = shorter;
  }
  EXPECT_FALSE(profileOfTrace(launches, world.variantOfPlan()));
}

TEST(TracedProfile, TakesOtherSizesAndPartsInTheProportionsThatWereKept) {
  const ProfiledWorld world(test::pipelineCutAt({"layer3.0"}));
  const BlockProfile traced = *profileOfTrace(*world.trace(), world.variantOfPlan());
  BlockProfile kept = traced;
  for (BlockTiming& block : kept.sizes[0].blocks) {  // a machine that was half as fast that day
    block.forward = {2 * block.forward.median, 0, 0, 5};
    block.backward = {2 * block.backward.median, 0, 0, 5};
    block.backward_input = {1.2 * block.backward.median, 0, 0, 5};
    block.backward_weight = {0.9 * block.backward.median, 0, 0, 5};
  }
  kept.sizes.push_back(kept.sizes[0]);
  kept.sizes[1].samples = 8;
  kept.sizes[1].all_lanes_slowdown = 1.3;
  for (BlockTiming& block : kept.sizes[1].blocks) block.forward.median *= 1.5;
  const BlockProfile completed = completedBy(traced, kept, false);
  ASSERT_EQ(completed.sizes.size(), 2u);
  const BlockTiming &own = completed.sizes[0].blocks[3], &larger = completed.sizes[1].blocks[3],
                    &measured = traced.sizes[0].blocks[3];
  EXPECT_EQ(own.forward, measured.forward) << "what the trace measured stays";
  EXPECT_NEAR(own.backward_input.median, 1.2 * measured.backward.median, 1e-12);
  EXPECT_NEAR(own.backward_weight.median, 0.9 * measured.backward.median, 1e-12);
  EXPECT_NEAR(larger.forward.median, 1.5 * measured.forward.median, 1e-12);
  EXPECT_NEAR(larger.backward.median, measured.backward.median, 1e-12);
  EXPECT_EQ(completed.sizes[1].all_lanes_slowdown, 1) << "lanes that computed at once have it in their times";
  EXPECT_EQ(completedBy(traced, kept, true).sizes[1].all_lanes_slowdown, 1.3);
  kept.sizes.erase(kept.sizes.begin());
  EXPECT_EQ(completedBy(traced, kept, false), traced) << "no size in common, no proportion";
}

}  // namespace
}  // namespace lanelab
