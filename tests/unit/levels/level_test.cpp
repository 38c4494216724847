// SPDX-License-Identifier: GPL-3.0-only
// Each level can be solved, and its par cannot be beaten.
#include "engine/levels/level.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "engine/levels/known_order.h"
#include "engine/levels/level_board.h"
#include "tests/support/sanitized.h"
#include "tests/unit/levels/built_order.h"

namespace lanelab {
namespace {

struct LevelFacts {
  const char* key;
  std::int64_t par;
  const char* target;
  const char* beside;
  std::int64_t step_of_beside;
};

constexpr LevelFacts kFacts[] = {{"gpipe", 9, "GPipe", "1F1B", 9},
                                 {"gpipe-4", 21, "GPipe", "1F1B", 21},
                                 {"1f1b", 21, "1F1B", "GPipe", 21},
                                 {"interleaved-1f1b", 27, "Interleaved 1F1B", "1F1B", 29},
                                 {"split-backward", 10, "ZB-H1", "1F1B", 12},
                                 {"zb-h1", 14, "ZB-H1", "1F1B", 18},
                                 {"zb-h2", 29, "ZB-H2", "ZB-H1", 31},
                                 {"zb-v", 19, "ZB-V", "Hanayo", 22}};

class Levels : public ::testing::TestWithParam<LevelFacts> {};

TEST_P(Levels, TheTargetReachesParWithinTheLimit) {
  const Level& level = test::levelOf(GetParam().key);
  const auto known = knownOrders(level);
  const LevelBoard board = test::built(level, test::orderOf(known, GetParam().target).schedule);
  ASSERT_TRUE(board.isComplete());
  EXPECT_EQ(parOf(level), GetParam().par);
  EXPECT_EQ(board.step(), GetParam().par);
  EXPECT_EQ(board.leastStep(), board.step());
  EXPECT_EQ(verdict(board, known).message, "You built " + std::string(GetParam().target) + ": " +
                                               std::to_string(GetParam().par) + " units, par reached.");
  EXPECT_EQ(comparedWith(board, known).title, GetParam().beside);
  EXPECT_EQ(comparedWith(board, known).step, GetParam().step_of_beside);
}

/// However a user begins, the rest can be placed: no limit makes lanes wait for one another.
TEST_P(Levels, AnyLegalMovesCanBeContinuedToTheEnd) {
  const Level& level = test::levelOf(GetParam().key);
  for (unsigned seed = 0; seed < test::casesOf(50U); ++seed) {
    std::mt19937 random(seed);
    LevelBoard board(level);
    while (!board.isComplete()) {
      const std::vector<Action> next = test::placeable(board);
      ASSERT_FALSE(next.empty()) << "seed " << seed << "\n" << toCsv(board.schedule());
      const std::int64_t least = board.leastStep();
      board.place(next[random() % next.size()]);
      EXPECT_GE(board.leastStep(), least);
    }
    EXPECT_GE(board.step(), GetParam().par);
    EXPECT_EQ(board.leastStep(), board.step());
  }
}

INSTANTIATE_TEST_SUITE_P(All, Levels, ::testing::ValuesIn(kFacts), [](const auto& named) {
  std::string name = named.param.key;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(LevelTable, HasEachFactOnceInItsOrder) {
  ASSERT_EQ(levels().size(), std::size(kFacts));
  for (std::size_t i = 0; i < std::size(kFacts); ++i) EXPECT_STREQ(levels()[i].key, kFacts[i].key);
}

/// The shortest step of all orders, by trying them all.
class EveryOrder {
 public:
  explicit EveryOrder(const Level& level) : m_board(level) {}
  std::int64_t shortest() {
    extend();
    return m_shortest;
  }

 private:
  /// In the order of starts, in which any order of the lanes can be placed.
  void extend() {
    if (m_board.isComplete()) m_shortest = std::min(m_shortest, m_board.step());
    const std::int64_t last = m_board.placed().empty() ? 0 : m_board.placed().back().start;
    for (const Action& action : test::placeable(m_board)) {
      if (m_board.preview(action).start < last) continue;
      m_board.place(action);
      extend();
      m_board.undo();
    }
  }

  LevelBoard m_board;
  std::int64_t m_shortest = INT64_MAX;
};

TEST(Par, IsBelowNoOrderOfASmallLevel) {
  struct {
    ScheduleKind target;
    int lanes, stages_per_lane, micro_batches;
    StageTimes times;
    bool splits_backward;
    std::int64_t par, shortest;
  } const rows[] = {{ScheduleKind::Gpipe, 2, 1, 2, {1, 2, 1}, false, 9, 9},
                    {ScheduleKind::Gpipe, 2, 1, 3, {1, 2, 1}, false, 12, 12},
                    {ScheduleKind::Gpipe, 3, 1, 2, {1, 2, 1}, false, 12, 12},
                    {ScheduleKind::InterleavedOneFOneB, 2, 2, 1, {1, 2, 1}, false, 12, 12},
                    {ScheduleKind::ZbH1, 2, 1, 2, {1, 2, 1}, true, 7, 7},
                    {ScheduleKind::ZbH1, 2, 1, 2, {2, 3, 1}, true, 12, 13},
                    {ScheduleKind::ZbV, 2, 2, 1, {1, 2, 1}, true, 8, 9}};
  for (const auto& row : rows) {
    Level level = test::levelOf("gpipe");
    level.target = row.target;
    level.lanes = row.lanes;
    level.stages_per_lane = row.stages_per_lane;
    level.micro_batches = row.micro_batches;
    level.times = row.times;
    level.splits_backward = row.splits_backward;
    EXPECT_EQ(parOf(level), row.par) << row.lanes << " lanes, " << row.micro_batches << " micro-batches";
    EXPECT_EQ(EveryOrder(level).shortest(), row.shortest)
        << row.lanes << " lanes, " << row.micro_batches << " micro-batches";
    EXPECT_LE(row.par, row.shortest);
  }
}

}  // namespace
}  // namespace lanelab
