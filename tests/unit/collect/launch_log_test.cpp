// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/launch_log.h"

#include <gtest/gtest.h>

#include <thread>

namespace lanelab {
namespace {

LaunchOwner actionOf(int lane, int micro_batch) {
  return {lane, 0, 0, static_cast<std::int16_t>(micro_batch), Phase::Forward};
}

TEST(LaunchOwners, ATimeBelongsToTheStretchOfItsThreadThatItLiesIn) {
  LaunchLog log;
  log.begin(1, 100, actionOf(0, 0));
  log.begin(2, 110, actionOf(1, 7));
  log.end(1, 200);
  log.begin(1, 300, actionOf(0, 1));
  LaunchOwners owners;
  owners.add(log.take());
  EXPECT_EQ(owners.at(1, 99), nullptr);
  ASSERT_NE(owners.at(1, 100), nullptr);
  EXPECT_EQ(*owners.at(1, 199), actionOf(0, 0));
  EXPECT_EQ(owners.at(1, 200), nullptr) << "ranges are half-open";
  EXPECT_EQ(*owners.at(1, 10'000), actionOf(0, 1)) << "it is open still";
  EXPECT_EQ(*owners.at(2, 150), actionOf(1, 7));
  EXPECT_EQ(owners.at(3, 150), nullptr);
  EXPECT_EQ(owners.laneOf(2), 1);
  EXPECT_EQ(owners.laneOf(3), -1);
}

TEST(LaunchOwners, AStretchMayEndInALaterBatch) {
  LaunchLog log;
  LaunchOwners owners;
  log.begin(1, 100, actionOf(0, 0));
  owners.add(log.take());
  EXPECT_NE(owners.at(1, 500), nullptr);
  log.end(1, 200);
  owners.add(log.take());
  EXPECT_EQ(owners.at(1, 500), nullptr);
  EXPECT_NE(owners.at(1, 150), nullptr);
  EXPECT_TRUE(log.take().empty());
}

TEST(LaunchOwners, ABeginEndsWhatWasOpen) {
  LaunchLog log;
  LaunchOwners owners;
  log.begin(1, 100, actionOf(0, 0));
  log.begin(1, 200, actionOf(0, 1));
  log.end(1, 300);
  log.end(1, 400);
  owners.add(log.take());
  EXPECT_EQ(*owners.at(1, 150), actionOf(0, 0));
  EXPECT_EQ(*owners.at(1, 250), actionOf(0, 1));
  EXPECT_EQ(owners.at(1, 350), nullptr);
}

TEST(LaunchOwners, TheNewestStretchesAreKept) {
  LaunchLog log;
  LaunchOwners owners;
  constexpr int kMany = 100'000;
  for (int i = 0; i < kMany; ++i) log.begin(1, i, actionOf(0, i % 1000));
  owners.add(log.take());
  EXPECT_EQ(owners.at(1, 5), nullptr);
  for (int i = kMany - 4000; i < kMany; ++i) ASSERT_EQ(*owners.at(1, i), actionOf(0, i % 1000));
}

TEST(LaunchLog, ThreadsWriteWhileAnotherReads) {
  LaunchLog log;
  LaunchOwners owners;
  constexpr int kLaunches = 500;
  {
    std::vector<std::jthread> lanes;
    for (const std::uint32_t thread : {1U, 2U, 3U})
      lanes.emplace_back([&log, thread] {
        for (int i = 0; i < kLaunches; ++i) {
          log.begin(thread, 10 * i, actionOf(static_cast<int>(thread), i));
          log.end(thread, 10 * i + 5);
        }
      });
    for (int round = 0; round < 50; ++round) owners.add(log.take());
  }
  owners.add(log.take());
  for (const std::uint32_t thread : {1U, 2U, 3U})
    for (int i = 0; i < kLaunches; ++i)
      ASSERT_EQ(*owners.at(thread, 10 * i + 2), actionOf(static_cast<int>(thread), i));
}

}  // namespace
}  // namespace lanelab
