// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/replica_lanes.h"

#include <gtest/gtest.h>

#include "engine/schedule/schedule.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

/// Two steps of these actions, one lane each, in that order.
Trace traceOf(const std::vector<std::vector<std::string>>& lanes) {
  PipelineWorld world(static_cast<int>(lanes.size()));
  for (int step = 0; step < 2; ++step) {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      for (std::size_t i = 0; i < lanes[lane].size(); ++i) {
        const Nanoseconds start = 1000 * step + 10 * static_cast<Nanoseconds>(i);
        world.action(static_cast<int>(lane), lanes[lane][i], start, start + 10, step);
      }
    }
  }
  return world.built();
}

TEST(ReplicaLanes, AreThoseThatShareMicroBatches) {
  const std::vector<std::pair<std::vector<std::vector<std::string>>, std::vector<int>>> cases = {
      {{{"0F0", "0B0", "0U"}, {"0F1", "0B1", "0U"}}, {0, 1}},
      {{{"0F0", "0F1"}, {"1F0", "1F1"}, {"0F2", "0F3"}, {"1F2", "1F3"}}, {0, 0, 1, 1}},
      {{{"0F2", "0B2"}, {"0F0", "0B0"}, {"0F1", "0B1"}}, {2, 0, 1}},
      {{{"0F0"}, {}, {"0F1"}}, {0, -1, 1}},
      {{{"0F0", "0F1"}, {"1F1", "1F2"}, {"2F2"}}, {}},  // one chain: the first and the last lane share nothing
      {{{"0F0", "0F1", "0B0"}, {}}, {}},
      {{{}, {}}, {}}};
  for (const auto& [lanes, replicas] : cases)
    EXPECT_EQ(replicasOfLanes(traceOf(lanes)), replicas) << lanes.front().size();
}

TEST(ReplicaLanes, OfPipelinesAreOne) {
  for (const std::string name : {"gpipe", "1f1b", "interleaved-1f1b", "zb-h1"}) {
    PipelineWorld world(4);
    PlannedStep step;
    step.schedule = scheduleOf(name, name == "interleaved-1f1b" ? 8 : 4, 4, 4);
    run(world, step);
    EXPECT_EQ(replicasOfLanes(world.built()), std::vector<int>()) << name;
  }
}

TEST(ReplicaLanes, UpdatesBelongToNoMicroBatch) {
  EXPECT_EQ(replicasOfLanes(traceOf({{"0F0", "0U"}, {"0F1", "0U"}})), (std::vector<int>{0, 1}));
  EXPECT_EQ(replicasOfLanes(traceOf({{"0U"}, {"0U"}})), std::vector<int>());
}

TEST(ReplicaLanes, AStepThatWasCutAtItsBeginIsNoReason) {
  PipelineWorld world(2);
  world.action(0, "0B1", 0, 10, 4);  // what is left of a step: each lane another micro-batch
  world.action(1, "1B0", 0, 10, 4);
  for (const char* name : {"0F0", "0F1"}) world.action(0, name, 100, 110, 5);
  world.action(1, "1F0", 200, 210, 5);
  EXPECT_EQ(replicasOfLanes(world.built()), std::vector<int>());
}

TEST(ReplicaLanes, OtherProgramsHaveNone) {
  Trace trace;
  trace.lanes = {{"a", ""}, {"b", ""}};
  EXPECT_EQ(replicasOfLanes(trace), std::vector<int>());
}

}  // namespace
}  // namespace lanelab
