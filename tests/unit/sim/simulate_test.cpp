// SPDX-License-Identifier: GPL-3.0-only
// The simulated step against closed forms of the literature and against cases worked out by hand.
#include "engine/sim/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/schedule/generate.h"

namespace lanelab {
namespace {

/// Of a stage; the weight part is part of the backward.
struct Times {
  double forward, backward, weight;
};

/// None is a sum of few halves, so that rounding shows.
const std::vector<Times> kTimes = {{1, 2, 1}, {0.0123, 0.0311, 0.0119}, {1.1, 2.3, 0.7}};

/// One block a stage, stage s on lanes[s].
struct Case {
  std::vector<Stage> stages;
  StepCosts costs;
  Schedule schedule;

  Simulation run() const { return simulate(schedule, stages, costs); }
};

Case caseOf(const std::string& name, const std::vector<LaneId>& lanes, int lane_count, int micro_batches,
            const std::vector<Times>& times) {
  Case made;
  for (std::size_t s = 0; s < lanes.size(); ++s) {
    made.stages.push_back({StageId(s), lanes[s], BlockId(s), BlockId(s + 1)});
    const Times& time = times[std::min(s, times.size() - 1)];
    made.costs.whole.blocks.push_back({"block " + std::to_string(s), time.forward, time.backward, time.weight, 0});
  }
  made.costs.whole.transfers.assign(lanes.size() - 1, 0.0);
  Result<Schedule> schedule =
      generateSchedule(*parseScheduleName(name), lanes, lane_count, micro_batches, WindowKind::Step);
  EXPECT_TRUE(schedule.ok()) << name;
  if (schedule.ok()) made.schedule = std::move(*schedule);
  return made;
}

Case uniform(const std::string& name, int lanes, int stages_of_lane, int micro_batches, Times times) {
  std::vector<LaneId> all;
  for (int lane = 0; lane < lanes; ++lane) all.emplace_back(lane);
  return caseOf(name, lanesOfStages(*parseScheduleName(name), lanes * stages_of_lane, all), lanes, micro_batches,
                {times});
}

/// Every lane idles as long as `expected` says, to 1e-9 of it.
void expectIdle(const Case& made, double expected, const std::string& what) {
  const Simulation done = made.run();
  for (std::size_t lane = 0; lane < done.lanes.size(); ++lane) {
    EXPECT_NEAR(done.lanes[lane].idle, expected, 1e-9 * std::max(1.0, expected)) << what << ", lane " << lane;
    EXPECT_NEAR(done.lanes[lane].busy + done.lanes[lane].idle, done.step_seconds, 1e-12 * done.step_seconds) << what;
  }
}

TEST(Simulate, GpipeAnd1f1bIdleOneForwardAndBackwardForEachOtherLane) {
  for (const Times& times : kTimes) {
    for (const std::string name : {"gpipe", "1f1b"}) {
      for (int p = 1; p <= 8; ++p) {
        for (const int m : {1, 2, 8, 32}) {
          const std::string what = name + " p=" + std::to_string(p) + " m=" + std::to_string(m);
          const Case made = uniform(name, p, 1, m, times);
          expectIdle(made, (p - 1) * (times.forward + times.backward), what);
          const Simulation done = made.run();
          EXPECT_NEAR(done.lanes[0].idle / done.step_seconds, (p - 1.0) / (m + p - 1), 1e-9) << what;
        }
      }
    }
  }
}

TEST(Simulate, StagesThatGoRoundIdleAsIfThereWereFewerLanes) {
  for (const Times& times : kTimes) {
    for (const std::string name : {"interleaved-1f1b", "looped-bfs"}) {
      for (const int p : {2, 4, 8}) {
        for (const int v : {2, 3}) {
          for (const int m : {p, 2 * p, 4 * p}) {
            const Case made = uniform(name, p, v, m, times);
            expectIdle(made, (p - 1) * (times.forward + times.backward), name);
            const Simulation done = made.run();
            EXPECT_NEAR(done.lanes[0].idle / done.lanes[0].busy, (p - 1.0) / (v * m), 1e-9)
                << name << " p=" << p << " v=" << v << " m=" << m;
          }
        }
      }
    }
  }
}

TEST(Simulate, ZeroBubbleHidesTheWeightPartsWhereTheyAreTheShortest) {
  for (const Times& times : {Times{1, 2, 1}, Times{0.0123, 0.0311, 0.0119}, Times{1.1, 2.3, 0.7}, Times{3, 4, 0}}) {
    for (const int p : {1, 2, 3, 4, 8}) {
      for (const int m : {p, p + 1, 2 * p, 3 * p + 1}) {
        expectIdle(uniform("zb-h1", p, 1, m, times), (p - 1) * (times.forward + times.backward - 2 * times.weight),
                   "p=" + std::to_string(p) + " m=" + std::to_string(m));
      }
    }
  }
}

TEST(Simulate, LongWeightPartsDoNotAllHide) {  // W above min(F, B-W): the formula would promise 1 x (1 + 5 - 8) below 0
  const Simulation done = uniform("zb-h1", 2, 1, 4, {1, 5, 4}).run();
  EXPECT_GT(done.lanes[0].idle, 0);
  EXPECT_GE(done.step_seconds, 4 * 6.0);
}

TEST(Simulate, OneLaneIsNeverIdle) {
  for (const std::string name : {"gpipe", "1f1b", "zb-h1", "list"})
    expectIdle(uniform(name, 1, 1, 7, {1.1, 2.3, 0.7}), 0, name);
}

TEST(Simulate, UnequalStagesGoAtThePaceOfTheSlowest) {
  const int m = 16;  // fill and drain of the others, and m of the slowest; each way on its own
  const Simulation done =
      caseOf("gpipe", {LaneId(0), LaneId(1), LaneId(2)}, 3, m, {{1, 2, 0}, {2, 4, 0}, {1, 2, 0}}).run();
  EXPECT_NEAR(done.step_seconds, (1 + 2 * m + 1) + (2 + 4 * m + 2), 1e-9);
  EXPECT_NEAR(done.lanes[1].idle, 6, 1e-9);
  EXPECT_NEAR(done.lanes[0].busy, 3 * m, 1e-9);
}

TEST(Simulate, ModelParallelKeepsOneLaneBusyAtATimeAndPaysEachWay) {
  Case made = uniform("gpipe", 4, 1, 1, {1, 2, 0});
  made.costs.whole.transfers = {0.5, 0.25, 0.125};
  const Simulation done = made.run();
  EXPECT_DOUBLE_EQ(done.step_seconds, 4 * 3 + 2 * (0.5 + 0.25 + 0.125));
  ASSERT_EQ(done.transfers.size(), 6u);
  EXPECT_EQ(done.transfers[0],
            (SimulatedTransfer{{StageId(0), ActionKind::Forward, MicroBatchId(0)}, LaneId(0), LaneId(1), 1, 1, 1.5}));
  EXPECT_EQ(done.transfers[5].producer, (Action{StageId(1), ActionKind::Backward, MicroBatchId(0)}));
}

TEST(Simulate, SlowLinksMakeMessagesQueueEachWayOnItsOwn) {
  Case made = uniform("gpipe", 2, 1, 3, {1, 1, 0});
  made.costs.whole.transfers = {4};
  const Simulation done =
      made.run();  // forwards arrive at 5, 9, 13; gradients leave at 15, 16, 17 and arrive at 19, 23, 27
  ASSERT_EQ(done.transfers.size(), 6u);
  EXPECT_EQ(done.transfers[1].queued, 2);
  EXPECT_EQ(done.transfers[1].start, 5);
  EXPECT_EQ(done.transfers[2].end, 13);
  EXPECT_EQ(done.transfers[4].queued, 16);
  EXPECT_EQ(done.transfers[4].start, 19);
  EXPECT_EQ(done.step_seconds, 28);
}

TEST(Simulate,
     LinksAreFullDuplex) {  // 1f1b at m=2, F=B=1, transfer 1: the gradient of 0 and the activation of 1 meet on the way
  Case made = uniform("1f1b", 2, 1, 2, {1, 1, 0});
  made.costs.whole.transfers = {1};
  const Simulation done = made.run();
  EXPECT_EQ(done.step_seconds, 1 + 1 + 4 + 1 + 1);
}

TEST(Simulate, NothingTravelsBetweenStagesOfOneLane) {
  Case made = uniform("zb-v", 2, 2, 4, {1, 2, 1});
  made.costs.whole.transfers = {0, 100, 0};  // the middle of the V is within lane 1
  EXPECT_LT(made.run().step_seconds, 100);
  EXPECT_TRUE(made.run().transfers.empty());
}

TEST(Simulate, EachActionPaysTheOverheadOnceAndTheUpdateToo) {
  Case made = uniform("zb-h1", 1, 1, 5, {1, 2, 1});
  made.costs.whole.action_overhead = 0.25;
  made.costs.whole.blocks[0].update = 0.5;
  const Simulation done = made.run();
  EXPECT_DOUBLE_EQ(done.step_seconds, 5 * 3 + 15 * 0.25 + 0.75);
  ASSERT_EQ(done.lanes[0].actions.size(), 16u);
  EXPECT_EQ(done.lanes[0].actions.back().action.kind, ActionKind::Update);
}

TEST(Simulate, UpdatesFollowAStagesLastBackwardAndAreLeftOutWhereTheyCostNothing) {
  Case made = uniform("1f1b", 2, 1, 2, {1, 1, 0});
  made.costs.whole.action_overhead = 0.1;
  made.costs.whole.blocks[1].update = 3;
  const Simulation done = made.run();
  EXPECT_EQ(done.lanes[0].actions.size(), 4u);
  ASSERT_EQ(done.lanes[1].actions.size(), 5u);
  EXPECT_EQ(done.lanes[1].actions[4].action, (Action{StageId(1), ActionKind::Update, MicroBatchId(0)}));
  EXPECT_DOUBLE_EQ(done.step_seconds, done.lanes[1].actions[4].end);
  EXPECT_DOUBLE_EQ(done.step_seconds, 1.1 * 5 + 3.1);
}

TEST(Simulate, ASlowLaneTakesItsFactorLonger) {
  Case made = uniform("gpipe", 2, 1, 1, {1, 2, 0});
  made.costs.whole.lane_slowness = {1, 3};
  made.costs.whole.action_overhead = 0.5;  // not slowed down
  EXPECT_DOUBLE_EQ(made.run().step_seconds, 3 * (1 + 3) + 4 * 0.5);
}

TEST(Simulate, TheLastMicroBatchMayBeSmaller) {
  Case made = uniform("1f1b", 2, 1, 3, {2, 4, 1});
  made.costs.last = made.costs.whole;
  for (BlockCost& block : made.costs.last->blocks) block = {block.name, 1, 2, 0.5, 0};
  const Simulation done = made.run();
  EXPECT_DOUBLE_EQ(done.lanes[0].busy, 6 + 6 + 3);
  EXPECT_DOUBLE_EQ(done.lanes[1].busy, 6 + 6 + 3);
  EXPECT_DOUBLE_EQ(done.step_seconds,
                   14 + 4 + 2);  // lane 1 ends the second backward at 14; lane 0 then has its own two left
}

TEST(Simulate, ContentionSlowsOnlyWhatOverlaps) {
  Case alone = uniform("gpipe", 2, 1, 1, {1, 2, 0});  // never both at once
  alone.costs.whole.contention = 0.5;
  EXPECT_NEAR(alone.run().step_seconds, 6, 1e-12);

  Case both = uniform("1f1b", 2, 1, 2, {1, 1, 0});
  both.costs.whole.contention = 0.5;
  // 0F0 alone to 1; 0F1 beside 1F0 to 2.5; 1B0 alone to 3.5; 0B0 beside 1F1 to 5; 1B1 alone, 0B1 alone.
  const Simulation done = both.run();
  EXPECT_NEAR(done.step_seconds, 7, 1e-12);
  EXPECT_NEAR(done.lanes[0].busy, 1 + 1.5 + 1.5 + 1, 1e-12);
}

TEST(Simulate, ContentionStretchesWhatOnlyPartlyOverlaps) {
  // 0F0 to 1, then 0F1 (1) beside 1F0 (3): 0F1 at half the speed to 3, when 1F0 has done 1 of 3; the other 2 alone,
  // to 5.
  Case made = caseOf("gpipe", {LaneId(0), LaneId(1)}, 2, 2, {{1, 1, 0}, {3, 1, 0}});
  made.costs.whole.contention = 1;
  const Simulation done = made.run();
  EXPECT_NEAR(done.lanes[0].actions[1].end, 3, 1e-12);
  EXPECT_NEAR(done.lanes[1].actions[0].end, 5, 1e-12);
}

TEST(Simulate, MoreLanesContendMore) {
  Case made = uniform("gpipe", 3, 1, 3, {1, 1, 0});
  made.costs.whole.contention = 0.25;
  const Simulation done = made.run();  // at the third forward of lane 0 all three lanes compute
  EXPECT_NEAR(done.lanes[0].actions[2].end - done.lanes[0].actions[2].start, 1.5, 1e-12);
  EXPECT_NEAR(done.lanes[0].actions[1].end - done.lanes[0].actions[1].start, 1.25, 1e-12);
}

TEST(Simulate, LanesWithoutWorkAreIdleThroughout) {
  const Simulation done = caseOf("gpipe", {LaneId(1)}, 3, 2, {{1, 2, 0}}).run();
  ASSERT_EQ(done.lanes.size(), 3u);
  EXPECT_EQ(done.lanes[0].busy, 0);
  EXPECT_DOUBLE_EQ(done.lanes[2].idle, 6);
  EXPECT_DOUBLE_EQ(done.lanes[1].busy, 6);
}

TEST(Simulate, WorkThatCostsNothingEndsAtOnce) {
  const Simulation done = uniform("1f1b", 4, 1, 8, {0, 0, 0}).run();
  EXPECT_EQ(done.step_seconds, 0);
  for (const SimulatedLane& lane : done.lanes) EXPECT_EQ(lane.actions.size(), 16u);
}

}  // namespace
}  // namespace lanelab
