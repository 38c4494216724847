// SPDX-License-Identifier: GPL-3.0-only
// Which rows a step trains on.
#include "engine/experiment/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "engine/placement/micro_batches.h"

namespace lanelab {
namespace {

DataConfig batchesOf(int batch, std::optional<int> epochs = std::nullopt) {
  DataConfig data;
  data.batch = batch;
  data.epochs = epochs;
  return data;
}

TEST(StepRows, WrapRoundWhereStepsAreCounted) {
  EXPECT_EQ(rowsOfStep(batchesOf(4), 10, 0), (StepRows{0, 4}));
  EXPECT_EQ(rowsOfStep(batchesOf(4), 10, 2), (StepRows{8, 4}));
  EXPECT_EQ(rowsOfStep(batchesOf(4), 10, 3), (StepRows{12, 4}));
}

TEST(StepRows, AnEpochEndsInASmallerBatch) {
  const DataConfig data = batchesOf(30, 2);
  EXPECT_EQ(stepsAnEpoch(data, 100), 4);
  std::vector<int> counts;
  for (int step = 0; step < 8; ++step) counts.push_back(rowsOfStep(data, 100, step).count);
  EXPECT_EQ(counts, (std::vector<int>{30, 30, 30, 10, 30, 30, 30, 10}));
  EXPECT_EQ(rowsOfStep(data, 100, 3), (StepRows{90, 10}));
  EXPECT_EQ(rowsOfStep(data, 100, 4), (StepRows{100, 30}));
  EXPECT_EQ(stepsAnEpoch(batchesOf(25), 100), 4);
}

TEST(MicroBatches, OfASmallerBatchAreAsManyAndAsEvenAsCanBe) {
  const MicroBatches smaller = MicroBatches{32, 8}.ofBatch(10);
  ASSERT_EQ(smaller.count(), 4);
  int next = 0;
  double weight = 0;
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(smaller.begin(MicroBatchId{k}), next);
    EXPECT_GE(smaller.size(MicroBatchId{k}), 2);
    EXPECT_LE(smaller.size(MicroBatchId{k}), 3);
    next += smaller.size(MicroBatchId{k});
    weight += smaller.weight(MicroBatchId{k});
  }
  EXPECT_EQ(next, 10);
  EXPECT_DOUBLE_EQ(weight, 1);
  EXPECT_EQ((MicroBatches{32, 8}.ofBatch(32)), (MicroBatches{32, 8}));
}

TEST(RowOrder, CountsThroughTheEpochsInOrder) {
  EXPECT_EQ(RowOrder(5, std::nullopt).rowsAt(3, 4), (std::vector<std::int64_t>{3, 4, 0, 1}));
}

TEST(RowOrder, EachShuffledEpochHoldsEveryRowOnceInAnOrderOfItsOwn) {
  const RowOrder order(50, 7);
  const std::vector<std::int64_t> first = order.rowsAt(0, 50), second = order.rowsAt(50, 50);
  std::vector<std::int64_t> all(50);
  std::iota(all.begin(), all.end(), 0);
  for (std::vector<std::int64_t> epoch : {first, second}) {
    EXPECT_NE(epoch, all);
    std::sort(epoch.begin(), epoch.end());
    EXPECT_EQ(epoch, all);
  }
  EXPECT_NE(first, second);
}

TEST(RowOrder, FollowsFromSeedAndEpochAloneWhereverReadingBegins) {
  const RowOrder order(50, 7), late(50, 7), other(50, 8);
  const std::vector<std::int64_t> whole = order.rowsAt(0, 120);
  EXPECT_EQ(late.rowsAt(90, 30), std::vector<std::int64_t>(whole.begin() + 90, whole.end()));
  EXPECT_NE(other.rowsAt(0, 120), whole);
}

}  // namespace
}  // namespace lanelab
