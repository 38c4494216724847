// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "engine/schedule/check.h"
#include "engine/schedule/generate.h"
#include "engine/schedule/replicas.h"

namespace lanelab {
namespace {

using Sizes = std::vector<int>;

TEST(ChunkSizes, AreThoseOfTorchChunk) {
  struct Row {
    int samples, replicas;
    Sizes sizes;
  };
  const std::vector<Row> rows = {{30, 2, {15, 15}}, {10, 2, {5, 5}}, {5, 4, {2, 2, 1}}, {10, 4, {3, 3, 3, 1}},
                                 {7, 3, {3, 3, 1}}, {1, 2, {1}},     {9, 1, {9}}};
  for (const Row& row : rows)
    EXPECT_EQ(chunkSizes(row.samples, row.replicas), row.sizes) << row.samples << " by " << row.replicas;
}

TEST(StridedRows, ShareOutABatch) {
  for (const int samples : {1, 2, 7, 8, 30}) {
    for (const int replicas : {1, 2, 3, 5}) {
      int sum = 0;
      for (int r = 0; r < replicas; ++r) sum += stridedRows(samples, r, replicas);
      EXPECT_EQ(sum, samples) << replicas;
    }
  }
  EXPECT_EQ(stridedRows(7, 0, 2), 4);
  EXPECT_EQ(stridedRows(7, 1, 2), 3);
}

/// 1F1B of two stages on lanes 0 and 1, twice, the second replica on lanes 3 and 2.
Schedule twice() {
  const Result<Schedule> one = generateSchedule(ScheduleKind::OneFOneB, {LaneId(0), LaneId(1)}, 4, 3, WindowKind::Step);
  return replicate(*one, {{LaneId(0), LaneId(1)}, {LaneId(3), LaneId(2)}});
}

TEST(Replicas, DoTheSameWithMicroBatchesOfTheirOwn) {
  const Schedule both = twice();
  EXPECT_EQ(both.micro_batches, 6);
  EXPECT_EQ(toCsv(both),
            "0F0,0F1,0B0,0F2,0B1,0B2\n"
            "1F0,1B0,1F1,1B1,1F2,1B2\n"
            "1F3,1B3,1F4,1B4,1F5,1B5\n"
            "0F3,0F4,0B3,0F5,0B4,0B5\n");
  EXPECT_EQ(replicaOf(both, MicroBatchId(2)), 0);
  EXPECT_EQ(replicaOf(both, MicroBatchId(3)), 1);
  EXPECT_EQ(toCsv(firstReplica(both)),
            toCsv(*generateSchedule(ScheduleKind::OneFOneB, {LaneId(0), LaneId(1)}, 4, 3, WindowKind::Step)));
}

TEST(Replicas, AreLegalOnTheirOwnLanesOnly) {
  const StageLanes lanes = {{LaneId(0), LaneId(1)}, {LaneId(3), LaneId(2)}};
  EXPECT_TRUE(checkSchedule(twice(), lanes).empty());
  const auto problems = checkSchedule(twice(), StageLanes{lanes[0], {LaneId(2), LaneId(3)}});
  ASSERT_FALSE(problems.empty());
  EXPECT_EQ(problems.front().kind, ScheduleProblem::Kind::WrongLane);
  EXPECT_EQ(replicaOfLane(lanes, LaneId(2)), 1);
  EXPECT_EQ(replicaOfLane(lanes, LaneId(4)), -1);
}

}  // namespace
}  // namespace lanelab
