// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/tied_gradients.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include <future>

namespace lanelab {
namespace {

constexpr auto kLimit = std::chrono::seconds(20);
const TiedStages kEnds = {{"embedding", {StageId(0), StageId(2)}}};

at::Tensor numbers(double value) { return at::full({2}, value); }

TEST(TiedGradients, AreTheSumOfAllStagesInEachRound) {
  TiedGradients room(kEnds);
  room.open();
  for (const int round : {1, 2}) {
    auto sum = std::async(std::launch::async, [&] { return room.awaitSum("embedding", round); });
    room.offer({"embedding", StageId(2)}, round, numbers(3 * round));
    room.offer({"embedding", StageId(0)}, round, numbers(1));
    ASSERT_EQ(sum.wait_for(kLimit), std::future_status::ready);
    EXPECT_TRUE(sum.get().equal(numbers(1 + 3 * round))) << round;
  }
}

TEST(TiedGradients, LeaveOutAStageWithoutRows) {
  TiedGradients room(kEnds);
  room.open();
  room.offer({"embedding", StageId(0)}, 1, at::Tensor());
  room.offer({"embedding", StageId(2)}, 1, numbers(4));
  EXPECT_TRUE(room.awaitSum("embedding", 1).equal(numbers(4)));
  room.offer({"embedding", StageId(0)}, 2, at::Tensor());
  room.offer({"embedding", StageId(2)}, 2, at::Tensor());
  EXPECT_FALSE(room.awaitSum("embedding", 2).defined());
}

TEST(TiedGradients, WakeWhoeverWaitsForALaneThatIsGone) {
  TiedGradients room(kEnds);
  room.open();
  room.offer({"embedding", StageId(0)}, 1, numbers(1));
  auto sum = std::async(std::launch::async, [&] { return room.awaitSum("embedding", 1); });
  room.close();
  ASSERT_EQ(sum.wait_for(kLimit), std::future_status::ready);
  EXPECT_THROW(sum.get(), std::runtime_error);
  room.open();
  room.offer({"embedding", StageId(0)}, 1, numbers(1));
  room.offer({"embedding", StageId(2)}, 1, numbers(1));
  EXPECT_TRUE(room.awaitSum("embedding", 1).equal(numbers(2)));
}

}  // namespace
}  // namespace lanelab
