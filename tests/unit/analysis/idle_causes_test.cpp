// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <gtest/gtest.h>

#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

std::string toldOf(PipelineWorld& world, std::size_t lane) {
  const Trace& trace = world.built();
  return told(trace, explainIdle(trace).lanes[lane]);
}

TEST(IdleCauses, OfATwoLanePipelineWithTransfers) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.transfer(0, "0F0", 12, 15, 2);
  world.action(1, "1F0", 15, 25);
  world.action(1, "1B0", 25, 45);
  world.transfer(1, "1B0", 47, 50, 2);
  world.action(0, "0B0", 50, 70);
  // Without transfers 0B0 would have come 30 after 0F0; the 5 that the first transfer took came late to lane 0, too.
  EXPECT_EQ(toldOf(world, 0),
            "10-50 before 0B0: drain 10-40, transfer_queued 40-42, transfer 42-45, transfer_queued 45-47, transfer "
            "47-50");
  EXPECT_EQ(toldOf(world, 1),
            "0-15 before 1F0: fill 0-10, transfer_queued 10-12, transfer 12-15; 45-70 before end: drain 45-65, "
            "transfer_queued 65-67, transfer 67-70");
}

/// 0F0 ends at 10, its transfer at 20, and 1F0 starts at 60; what the lane's host did meanwhile is the test's.
struct Late : PipelineWorld {
  EditedSpan late() { return {trace, 3, 0}; }
  Late() : PipelineWorld(2) {
    action(0, "0F0", 0, 10);
    transfer(0, "0F0", 12, 20);
    action(1, "1F0", 60, 70);
  }
  std::string told() { return toldOf(*this, 1); }
};

TEST(IdleCauses, WhatNothingExplainsIsUnresolved) {
  EXPECT_EQ(Late().told(), "0-60 before 1F0: fill 0-10, transfer_queued 10-12, transfer 12-20, unresolved 20-60");
}

TEST(IdleCauses, TheHostsOwnSpans) {
  for (const auto& [category, word] :
       {std::pair(Category::Data, "data"), std::pair(Category::Sync, "sync"),
        std::pair(Category::Allocator, "allocator"), std::pair(Category::Host, "host")}) {
    Late world;
    world.host(1, category, 15, 50);
    EXPECT_EQ(world.told(), std::string("0-60 before 1F0: fill 0-10, transfer_queued 10-12, transfer 12-20, ") + word +
                                " 20-50, unresolved 50-60");
  }
}

TEST(IdleCauses, TheProfilerGoesBeforeEverythingElse) {
  Late world;
  world.host(1, Category::Profiler, 4, 14);
  world.host(1, Category::Profiler, 30, 35);
  world.host(1, Category::Data, 20, 60);
  EXPECT_EQ(world.told(),
            "0-60 before 1F0: fill 0-4, profiler 4-14, transfer 14-20, data 20-30, profiler 30-35, data 35-60");
}

TEST(IdleCauses, OfHostSpansThatOverlapTheOrderOfTheDialectDecides) {
  Late world;
  world.host(1, Category::Host, 20, 60);
  world.host(1, Category::Allocator, 25, 50);
  world.host(1, Category::Sync, 30, 45);
  world.host(1, Category::Data, 32, 40);
  EXPECT_EQ(world.told(),
            "0-60 before 1F0: fill 0-10, transfer_queued 10-12, transfer 12-20, host 20-25, allocator 25-30, sync "
            "30-32, data 32-40, sync 40-45, "
            "allocator 45-50, host 50-60");
}

TEST(IdleCauses, SpansOfOtherLanesExplainNothing) {
  Late world;
  world.host(0, Category::Data, 20, 60);
  world.host(0, Category::Profiler, 0, 60);
  EXPECT_EQ(world.told(), Late().told());
}

TEST(IdleCauses, UntilItWasIssuedItIsTheHost) {
  Late world;
  world.late()->mark = 40;
  world.host(1, Category::Sync, 30, 50);
  EXPECT_EQ(
      world.told(),
      "0-60 before 1F0: fill 0-10, transfer_queued 10-12, transfer 12-20, host 20-30, sync 30-50, unresolved 50-60");
}

TEST(IdleCauses, AnActionThatWasIssuedInTimeHadNoLateHost) {
  Late world;
  world.late()->mark = 5;
  EXPECT_EQ(world.told(), Late().told());
}

TEST(IdleCauses, WhileAnotherLaneOfTheDeviceRunsItIsContention) {
  PipelineWorld world(3);
  world.trace.lanes[0].device = world.trace.lanes[1].device = "cuda:0";
  world.action(0, "0F0", 0, 10);
  world.action(0, "0F1", 12, 30);
  world.action(2, "5F7", 0, 60);
  world.action(1, "1F0", 50, 60)->mark = 15;
  EXPECT_EQ(toldOf(world, 1), "0-50 before 1F0: fill 0-10, host 10-15, contention 15-30, unresolved 30-50");
}

TEST(IdleCauses, SlicesOfAGpuAreOneDeviceAndLanesWithoutADeviceShareNone) {
  PipelineWorld world(2);
  world.trace.lanes[0].device = "cuda:0/sm:32";
  world.trace.lanes[1].device = "cuda:0/sm:64";
  world.action(0, "0F0", 0, 40);
  world.action(1, "1U", 30, 40);
  EXPECT_EQ(toldOf(world, 1), "0-30 before 1U: contention 0-30");
  world.trace.lanes[0].device = world.trace.lanes[1].device = "";
  EXPECT_EQ(toldOf(world, 1), "0-30 before 1U: unresolved 0-30");
}

TEST(IdleCauses, AnUpdateThatNeedsAllLanesWaitsForTheLast) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 40);
  world.action(1, "1F1", 0, 10);
  world.action(0, "0U", 60, 70);
  world.action(1, "1U", 60, 70);
  world.host(1, Category::Communication, 20, 30);
  EXPECT_EQ(toldOf(world, 0), "40-60 before 0U: unresolved 40-60");
  EXPECT_EQ(toldOf(world, 1), "10-60 before 1U: sync 10-20, communication 20-30, sync 30-40, unresolved 40-60");
  world.host(0, Category::Communication, 45, 50);
  EXPECT_EQ(toldOf(world, 0), "40-60 before 0U: unresolved 40-45, communication 45-50, unresolved 50-60");
  EXPECT_EQ(toldOf(world, 1), "10-60 before 1U: sync 10-20, communication 20-30, sync 30-50, unresolved 50-60");
}

TEST(IdleCauses, AnUpdateThatBeginsBeforeOthersAreDoneWaitsForNobody) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 80);
  world.action(1, "1F1", 0, 10);
  world.action(0, "0U", 80, 90);
  world.action(1, "1U", 60, 70);
  EXPECT_TRUE(toldOf(world, 1).starts_with("10-60 before 1U: unresolved 10-60; 70-90 before end: "))
      << toldOf(world, 1);
}

TEST(IdleCauses, UnequalStagesAreImbalance) {
  PipelineWorld world(2);
  for (int m = 0; m < 2; ++m) {
    world.action(0, "0F" + std::to_string(m), m * 10, m * 10 + 10);
    world.action(1, "1F" + std::to_string(m), 10 + m * 30, 40 + m * 30);
  }
  // With all at their mean of 20, lane 0 would idle 20 at its end and lane 1 20 at its begin.
  EXPECT_EQ(toldOf(world, 0), "20-70 before end: drain 20-40, imbalance 40-70");
  EXPECT_EQ(toldOf(world, 1), "0-10 before 1F0: fill 0-10");
}

TEST(IdleCauses, OneSlowMicroBatchIsJitter) {
  PipelineWorld world(2);
  Nanoseconds free = 0;
  for (int m = 0; m < 10; ++m) {
    const Nanoseconds end = free + (m == 5 ? 110 : 10);
    world.action(0, "0F" + std::to_string(m), free, end);
    world.action(1, "1F" + std::to_string(m), end, end + 10);
    free = end;
  }
  EXPECT_EQ(toldOf(world, 1), "0-10 before 1F0: fill 0-10; 60-160 before 1F5: jitter 60-160");
  EXPECT_EQ(toldOf(world, 0), "200-210 before end: drain 200-210");
}

/// Two lanes, 1F1B with four micro-batches, F 10 and B 20; lane 0 waits for its loader before each F.
TEST(IdleCauses, WaitsForALateLoaderAreDataOnEveryLane) {
  PipelineWorld world(2);
  PlannedStep step;
  step.schedule = scheduleOf("1f1b", 2, 2, 4);
  step.forward = 10;
  step.backward = 20;
  for (int m = 0; m < 4; ++m)
    step.delays[{StageId(0), ActionKind::Forward, MicroBatchId(m)}] = {Cause::Data, 15, false};
  world.window(0, run(world, step));
  // Without the loader lane 0 would wait 20 before 0B0, of which 15 have moved before 0F1.
  EXPECT_EQ(toldOf(world, 0),
            "0-15 before 0F0: data 0-15; 25-40 before 0F1: drain 25-40; 50-55 before 0B0: drain 50-55; 75-90 before "
            "0F2: data 75-90; 120-135 before 0F3: data 120-135; 165-175 before 0B3: drain 165-175");
  EXPECT_EQ(toldOf(world, 1),
            "0-25 before 1F0: fill 0-10, data 10-25; 85-100 before 1F2: data 85-100; 130-145 before 1F3: data "
            "130-145; 175-195 before end: drain 175-195");
}

TEST(IdleCauses, ASingleDelayRetainsItsNameWhereItIsSeen) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 40);
  world.action(1, "1U", 30, 40);
  world.host(1, Category::Sync, 0, 30);
  EXPECT_EQ(toldOf(world, 1), "0-30 before 1U: sync 0-30") << "though the lane would idle at its end without it";
}

TEST(IdleCauses, ASmallerLastMicroBatchIsNoJitter) {
  for (const std::string name : {"gpipe", "1f1b", "zb-h1"}) {
    PipelineWorld world(4);
    PlannedStep step;
    step.schedule = scheduleOf(name, 4, 4, 6);
    for (const auto& row : step.schedule.lanes)
      for (const Action& action : row)
        step.lengths[action] = step.lengthOf(action) / (action.micro_batch.value == 5 ? 4 : 1);
    run(world, step);
    const CauseTimes total = totalOf(explainIdle(world.built()));
    EXPECT_EQ(total[Cause::Fill] + total[Cause::Drain], total.total()) << name;
  }
}

TEST(IdleCauses, OfASplitBackwardTheInputPartIsAwaited) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(1, "1F0", 10, 20);
  world.action(1, "1I0", 20, 30);
  world.action(1, "1W0", 30, 40);
  world.action(0, "0I0", 30, 40);
  world.action(0, "0W0", 45, 55);
  world.action(0, "0U", 55, 60);
  // A weight part takes nothing from another stage.
  EXPECT_EQ(toldOf(world, 0), "10-30 before 0I0: drain 10-30; 40-45 before 0W0: unresolved 40-45");
  EXPECT_EQ(toldOf(world, 1), "0-10 before 1F0: fill 0-10; 40-60 before end: drain 40-55, unresolved 55-60");
}

TEST(IdleCauses, OfStagesOfOneLaneNothingIsAwaited) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(0, "1F0", 15, 25);
  world.action(1, "2F0", 25, 35);
  EXPECT_EQ(toldOf(world, 0), "10-15 before 1F0: unresolved 10-15; 25-35 before end: drain 25-35");
  EXPECT_EQ(toldOf(world, 1), "0-25 before 2F0: fill 0-20, unresolved 20-25");
}

TEST(IdleCauses, AProducerThatTheTraceLacksIsKnownFromItsTransfer) {
  PipelineWorld world(2);
  world.action(0, "0F1", 0, 50);
  world.transfer(0, "0F0", 30, 40, 10);
  world.action(1, "1F0", 45, 60);
  // Queued from 20 on, so it was made at 20.
  EXPECT_EQ(toldOf(world, 1),
            "0-45 before 1F0: unresolved 0-20, transfer_queued 20-30, transfer 30-40, unresolved 40-45");
}

TEST(IdleCauses, OfMissingMicroBatchesNothingIsUpstream) {
  PipelineWorld world(2);
  world.action(0, "0F1", 0, 20);
  world.action(1, "1F0", 10, 20);
  EXPECT_EQ(toldOf(world, 1), "0-10 before 1F0: unresolved 0-10");
}

TEST(IdleCauses, StepsAreReplayedAlone) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10, 0);
  world.action(1, "1F0", 10, 20, 0);
  world.action(0, "0F0", 100, 130, 1);
  world.action(1, "1F0", 130, 160, 1);
  EXPECT_EQ(toldOf(world, 0), "10-20 before end: drain 10-20; 130-160 before end: drain 130-160");
  EXPECT_EQ(toldOf(world, 1), "0-10 before 1F0: fill 0-10; 100-130 before 1F0: fill 100-130");
}

TEST(IdleCauses, ALaneWithoutActionsDrains) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.window(0, 12);
  EXPECT_EQ(toldOf(world, 0), "10-12 before end: unresolved 10-12");
  EXPECT_EQ(toldOf(world, 1), "0-12 before end: drain 0-10, unresolved 10-12");
}

TEST(IdleCauses, ProducersThatBeganTooLateHangNothing) {
  PipelineWorld world(2);
  world.action(0, "0F0", 40, 50);
  world.action(0, "0B0", 0, 10);
  world.action(1, "1F0", 10, 20);
  world.action(1, "1B0", 60, 70);
  const Trace& trace = world.built();
  for (const LaneCauses& lane : explainIdle(trace).lanes) EXPECT_EQ(lane.causes.total(), lane.idle);
}

TEST(IdleCauses, OfATraceWithoutAnythingThereIsNothing) {
  EXPECT_TRUE(explainIdle(Trace{}).lanes.empty());
  EXPECT_EQ(totalOf(explainIdle(PipelineWorld(2).built())).times, CauseTimes{}.times);
}

TEST(IdleCauses, LanesOfAnImportedFileHaveTheNumbersOfTheirProcesses) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(1, "1F0", 10, 40);
  ImportedTrace imported;
  imported.trace = std::make_shared<const Trace>(world.built());
  for (const std::string pid : {"3", "5"}) imported.processes.push_back({{pid, false}, "", "", std::nullopt});
  for (const Track& track : imported.trace->tracks)
    imported.rows.emplace_back().process = static_cast<std::uint32_t>(track.lane);
  EXPECT_EQ(explainIdle(imported).lanes[0].lane, 3);
  EXPECT_EQ(explainIdle(imported).lanes[1].lane, 5);
  imported.processes[1].pid = {"worker", true};
  EXPECT_EQ(explainIdle(imported).lanes[1].lane, 1);
  imported.processes[1].pid = {"5", false};
  imported.declared = true;
  EXPECT_EQ(explainIdle(imported).lanes[1].lane, 1);
}

TEST(LongestGaps, GoBeforeTheShorter) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(1, "1F0", 10, 40);
  const Trace& trace = world.built();
  const IdleCauses causes = explainIdle(trace);
  const auto gaps = longestGaps(causes);
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].lane->lane, 0);
  EXPECT_EQ(beforeText(trace, *gaps[0].gap), "end");
  EXPECT_EQ(beforeText(trace, *gaps[1].gap), "1F0");
}

}  // namespace
}  // namespace lanelab
