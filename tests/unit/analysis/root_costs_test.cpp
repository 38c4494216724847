// SPDX-License-Identifier: GPL-3.0-only
// Roots that are planted in ideal pipelines: what the step takes without each, and which is the largest.
#include "profiler/analysis/root_costs.h"

#include <gtest/gtest.h>

#include "profiler/analysis/cause_shares.h"
#include "profiler/analysis/path_parts.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

PlannedStep equalStages(int lanes, int micro_batches) {
  PlannedStep step;
  step.schedule = scheduleOf("1f1b", lanes, lanes, micro_batches);
  return step;
}

Nanoseconds lengthOf(const PlannedStep& step) {
  PipelineWorld world(static_cast<int>(step.schedule.lanes.size()));
  return run(world, step);
}

RootCosts costsOf(const PlannedStep& step) {
  PipelineWorld world(static_cast<int>(step.schedule.lanes.size()));
  world.window(0, run(world, step));
  return rootCosts(world.built(), prepareActions(world.built()));
}

TEST(RootCosts, OfEqualStagesWithoutDelaysAreNone) {
  const RootCosts roots = costsOf(equalStages(3, 6));
  EXPECT_EQ(roots.step, lengthOf(equalStages(3, 6)));
  EXPECT_TRUE(roots.costs.empty());
  EXPECT_TRUE(rootCosts(Trace{}, {}).costs.empty());
}

TEST(RootCosts, OfTheLoaderAreTheStepWithoutIt) {
  PlannedStep step = equalStages(3, 6);
  for (int m = 0; m < 6; ++m)
    step.delays[{StageId(0), ActionKind::Forward, MicroBatchId(m)}] = {Cause::Data, 1500, false};
  const RootCosts roots = costsOf(step);
  ASSERT_EQ(roots.costs.size(), 1U);
  EXPECT_EQ(roots.costs[0].root, (Root{Root::Kind::Delay, 0, Cause::Data}));
  EXPECT_EQ(roots.costs[0].step, lengthOf(equalStages(3, 6)));
  EXPECT_EQ(roots.costs[0].saved, lengthOf(step) - lengthOf(equalStages(3, 6)));
}

TEST(RootCosts, OfLinksAndASlowStageComeByWhatTheySave) {
  PlannedStep step = equalStages(2, 8);
  step.copy = 30;
  for (const auto& row : step.schedule.lanes)
    for (const Action& action : row)
      step.lengths[action] = (action.kind == ActionKind::Forward ? 1000 : 2000) * (action.stage.value == 1 ? 2 : 1);
  const RootCosts roots = costsOf(step);
  ASSERT_EQ(roots.costs.size(), 2U);
  EXPECT_EQ(roots.costs[0].root, (Root{Root::Kind::Stage, 1, Cause::Unresolved}));
  EXPECT_EQ(roots.costs[1].root, (Root{Root::Kind::Link, 0, Cause::Unresolved}));
  PlannedStep without = step;
  without.copy = 0;
  EXPECT_EQ(roots.costs[1].step, lengthOf(without));
}

/// A lane that sends reports it late; the action that takes the result has begun by then.
TEST(RootCosts, ReplayTheMeasuredStepWhereATransferEndsLate) {
  for (const Nanoseconds late : {0, 4, 40, 400}) {
    PipelineWorld world(2);
    world.action(0, "0F0", 0, 100);
    world.transfer(0, "0F0", 110, 130 + late, 105);
    world.action(1, "1F0", 130, 200);
    world.action(1, "1B0", 200, 330);
    world.transfer(1, "1B0", 340 + late, 350 + late, 335);
    world.action(0, "0B0", 350, 480);
    world.window(0, 480);
    const RootCosts roots = rootCosts(world.built(), prepareActions(world.built()));
    EXPECT_EQ(roots.step, 480) << late;
    for (const RootCost& cost : roots.costs) EXPECT_EQ(cost.step + cost.saved, 480) << late;
  }
}

/// Two replicas, of which the second takes 30 % longer; updates wait for both.
struct Replicas : PipelineWorld {
  Replicas() : PipelineWorld(2) {
    for (const int lane : {0, 1}) {
      const Nanoseconds length = lane == 0 ? 100 : 130;
      const std::string name = std::to_string(lane);
      action(lane, "0F" + name, 0, length);
      action(lane, "0B" + name, length, 3 * length);
      host(lane, Category::Sync, 3 * length, 400);
      action(lane, "0U", 400, 410);
    }
    window(0, 410);
  }
};

TEST(RootCosts, NameTheSlowestReplica) {
  Replicas world;
  const RootCosts roots = rootCosts(world.built(), prepareActions(world.built()));
  ASSERT_EQ(roots.costs.size(), 1U);
  EXPECT_EQ(roots.costs[0].root, (Root{Root::Kind::Replica, 1, Cause::Unresolved}));
  EXPECT_EQ(roots.costs[0].step, 320);
  EXPECT_TRUE(explainIdle(world.built()).replicas);
}

TEST(CriticalPath, GoesThroughTheSlowestReplica) {
  Replicas world;
  const Trace& trace = world.built();
  const auto paths = criticalPaths(trace);
  ASSERT_EQ(paths.size(), 1U);
  ASSERT_EQ(paths[0].links.size(), 4U) << "forward, backward, wait, update";
  EXPECT_EQ(paths[0].links[1].lane, 1);
  EXPECT_EQ(paths[0].links[2].kind, PathLink::Kind::Wait);
  EXPECT_EQ(paths[0].links[2].range, (TimeRange{390, 400})) << "the exchange itself";
}

TEST(PathParts, HaveTheirShareAndTheirSlack) {
  Replicas world;
  const Trace& trace = world.built();
  const PathParts parts = pathParts(trace, tracedActions(trace), criticalPaths(trace));
  ASSERT_EQ(parts.parts.size(), 6U);
  EXPECT_EQ(parts.path, 410);
  EXPECT_EQ(parts.parts[0].phase, Phase::Backward);
  EXPECT_EQ(parts.parts[0].lane, 1);
  EXPECT_EQ(parts.parts[0].time, 260);
  EXPECT_EQ(parts.parts[0].slack, 0);
  for (const PathPart& part : parts.parts) {
    if (part.lane == 0 && part.phase != Phase::Update) {
      EXPECT_EQ(part.slack, 90) << "as much faster as the first replica is";
    }
  }
}

}  // namespace
}  // namespace lanelab
