// SPDX-License-Identifier: GPL-3.0-only
// The first fault wins, and ends what waits.
#include "engine/dist/rendezvous/fault_board.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <vector>

namespace lanelab {
namespace {

using namespace std::chrono_literals;

TEST(FaultBoard, KeepsTheFirstSentence) {
  FaultBoard board;
  EXPECT_FALSE(board.fault());
  EXPECT_NO_THROW(board.check());
  board.raise("Lost rank 2.");
  board.raise("Lost rank 1.");
  EXPECT_EQ(board.fault(), "Lost rank 2.");
  EXPECT_THROW(board.check(), std::runtime_error);
  EXPECT_EQ(board.faultWithin(0ms), "Lost rank 2.");
}

TEST(FaultBoard, CallsOnceAndOnlyWhatStillLives) {
  FaultBoard board;
  std::vector<std::string> heard;
  {
    const FaultBoard::Call gone(board, [&](const std::string&) { heard.push_back("gone"); });
  }
  const FaultBoard::Call there(board, [&](const std::string& sentence) { heard.push_back(sentence); });
  board.raise("first");
  board.raise("second");
  EXPECT_EQ(heard, std::vector<std::string>{"first"});
  const FaultBoard::Call late(board, [&](const std::string& sentence) { heard.push_back("late " + sentence); });
  EXPECT_EQ(heard.back(), "late first");
}

TEST(FaultBoard, WakesWhoWaits) {
  FaultBoard board;
  auto waiting = std::async(std::launch::async, [&] { return board.faultWithin(60s); });
  board.raise("now");
  ASSERT_EQ(waiting.wait_for(30s), std::future_status::ready);
  EXPECT_EQ(waiting.get(), "now");
}

}  // namespace
}  // namespace lanelab
