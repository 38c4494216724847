// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/cut_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>

namespace lanelab {
namespace {

using ::testing::IsEmpty;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr int kBlocks = 9;

std::vector<BlockId> blocks(const std::vector<int>& numbers) { return {numbers.begin(), numbers.end()}; }

/// Another number in [0, 1) for each cut, alike in every run.
double roughly(const std::vector<BlockId>& cuts) {
  std::uint64_t hash = 88172645463325252U;
  for (const BlockId cut : cuts) hash = (hash ^ static_cast<std::uint64_t>(cut.value)) * 6364136223846793005U + 1;
  return static_cast<double>(hash >> 11U) / 9007199254740992.0;
}

/// Squared distance from equal stages: one minimum, which moves of one cut reach.
double unevenness(const std::vector<BlockId>& cuts, int count) {
  double sum = 0;
  int first = 0;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const int end = i < cuts.size() ? cuts[i].value : count;
    sum += std::pow(end - first, 2);
    first = end;
  }
  return sum;
}

TEST(FastestCut, IsTheLeastOfAllWhereTheyAreFew) {
  double least = kNever;
  std::vector<BlockId> best;
  for (int a = 1; a < kBlocks; ++a) {
    for (int b = a + 1; b < kBlocks; ++b) {
      const std::vector<BlockId> cuts = blocks({a, b});
      if (roughly(cuts) < least) best = cuts;
      least = std::min(least, roughly(cuts));
    }
  }
  std::set<std::vector<int>> asked;
  const auto predict = [&](const std::vector<BlockId>& cuts) {
    EXPECT_TRUE(asked.insert({cuts[0].value, cuts[1].value}).second) << "asked twice";
    return roughly(cuts);
  };
  const FastestCut found = fastestCut(kBlocks, blocks({2, 5}), {predict}, 28);
  EXPECT_EQ(found.cuts, best);
  EXPECT_EQ(found.seconds, least);
  EXPECT_EQ(found.tried, 28) << "8 over 2";
  EXPECT_TRUE(found.all_tried);
}

TEST(FastestCut, OfManyCutsIsReachedByMovesThatHelp) {
  const auto predict = [](const std::vector<BlockId>& cuts) { return unevenness(cuts, 60); };
  const FastestCut found = fastestCut(60, blocks({1, 2, 3, 4, 5}), {predict}, 2000);
  EXPECT_EQ(found.cuts, blocks({10, 20, 30, 40, 50}));
  EXPECT_FALSE(found.all_tried);
  EXPECT_LE(found.tried, 2000);
}

TEST(FastestCut, StartsAgainNearTheBestWhereMovesNoLongerHelp) {
  const auto predict = [](const std::vector<BlockId>& cuts) { return roughly(cuts); };  // nothing but such places
  int shorter = 0;
  for (const int first : {4, 11, 18, 25}) {
    const std::vector<BlockId> start = blocks({first, first + 9, first + 20});
    const FastestCut once = fastestCut(60, start, {predict}, 20000, 0), again = fastestCut(60, start, {predict}, 20000);
    EXPECT_LE(again.seconds, once.seconds);
    EXPECT_GT(again.tried, once.tried);
    EXPECT_EQ(fastestCut(60, start, {predict}, 20000).cuts, again.cuts) << "the same for the same question";
    if (again.seconds < once.seconds) ++shorter;
  }
  EXPECT_GT(shorter, 1);
}

TEST(FastestCut, TwoCutsThatMustMoveTogetherDo) {
  // Only cuts the same distance apart can be used, as of lanes whose memory takes just so many blocks.
  const auto predict = [](const std::vector<BlockId>& cuts) {
    return cuts[1].value - cuts[0].value == 20 ? std::abs(cuts[0].value - 17.0) + 1 : kNever;
  };
  EXPECT_EQ(fastestCut(60, blocks({5, 25}), {predict}, 1000).cuts, blocks({17, 37}));
}

TEST(FastestCut, AsksNoMoreThanItMay) {
  for (const int most : {1, 2, 10, 57}) {
    int asked = 0;
    const auto predict = [&asked](const std::vector<BlockId>& cuts) {
      ++asked;
      return roughly(cuts);
    };
    const FastestCut found = fastestCut(60, blocks({20, 30, 40}), {predict}, most);
    EXPECT_LE(asked, most);
    EXPECT_EQ(found.tried, asked);
    EXPECT_EQ(found.seconds, roughly(found.cuts));
    EXPECT_LE(found.seconds, roughly(blocks({20, 30, 40})));
  }
}

TEST(FastestCut, ThatIsNoShorterDoesNotReplaceTheFirst) {
  const auto alike = [](const std::vector<BlockId>& cuts) { return 1 - 1e-15 * cuts[0].value; };
  EXPECT_EQ(fastestCut(kBlocks, blocks({3}), {alike}, 100).cuts, blocks({3}));
}

TEST(FastestCut, LeavesTheFirstOneWhereItCannotBeUsed) {
  const auto only = [](const std::vector<BlockId>& cuts) { return cuts[0].value == 7 ? 2.0 : kNever; };
  EXPECT_EQ(fastestCut(kBlocks, blocks({3}), {only}, 100).cuts, blocks({7}));
  const FastestCut none = fastestCut(kBlocks, blocks({3}), {[](const std::vector<BlockId>&) { return kNever; }}, 100);
  EXPECT_EQ(none.seconds, kNever);
  EXPECT_TRUE(none.all_tried);
}

TEST(FastestCut, GoesToMemoryFirstAndToTimeThen) {
  // The shortest cuts are late ones; from 30 on the first lane has no memory for its blocks.
  const auto seconds = [](const std::vector<BlockId>& cuts) { return 100.0 - cuts[0].value; };
  const auto excess = [](const std::vector<BlockId>& cuts) { return std::max(0, cuts[0].value - 29) / 10.0; };
  for (const int start : {5, 29, 50}) {
    for (const int most : {1000, 40}) {
      const FastestCut found = fastestCut(60, blocks({start}), {seconds, excess}, most);
      EXPECT_EQ(found.cuts, blocks({29})) << start;
      EXPECT_EQ(found.seconds, 71) << start;
    }
  }
}

TEST(FastestCut, WithoutRoomIsTheNearestAndSaysSo) {
  const auto excess = [](const std::vector<BlockId>& cuts) { return 1.0 + std::abs(cuts[0].value - 4); };
  const FastestCut found =
      fastestCut(kBlocks, blocks({7}), {[](const std::vector<BlockId>&) { return 1.0; }, excess}, 100);
  EXPECT_EQ(found.cuts, blocks({4}));
  EXPECT_EQ(found.seconds, kNever);
  EXPECT_TRUE(found.all_tried);
}

TEST(FastestCut, OfOneStageIsNone) {
  const FastestCut found = fastestCut(kBlocks, {}, {[](const std::vector<BlockId>&) { return 1.0; }}, 100);
  EXPECT_THAT(found.cuts, IsEmpty());
  EXPECT_EQ(found.tried, 1);
  EXPECT_TRUE(found.all_tried);
}

}  // namespace
}  // namespace lanelab
