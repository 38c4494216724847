// SPDX-License-Identifier: GPL-3.0-only
// Boards of levels with what is placed on them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/levels/known_order.h"
#include "engine/levels/level_board.h"

namespace lanelab::test {

inline const Level& levelOf(std::string_view key) {
  return *std::ranges::find_if(levels(), [&](const Level& level) { return level.key == key; });
}

inline const KnownOrder& orderOf(const std::vector<KnownOrder>& known, std::string_view title) {
  const auto found = std::ranges::find(known, title, &KnownOrder::title);
  EXPECT_NE(found, known.end()) << title;
  return found == known.end() ? known.front() : *found;
}

inline Action action(std::string_view text) { return parseAction(text).value(); }

/// What can be placed next, on any lane.
inline std::vector<Action> placeable(const LevelBoard& board) {
  std::vector<Action> found;
  for (int lane = 0; lane < board.level().lanes; ++lane)
    for (const Action& next : board.actionsOf(LaneId(lane)))
      if (!board.whyNot(next)) found.push_back(next);
  return found;
}

/// A board on which the rows of a schedule are placed, as far as they can be.
inline LevelBoard built(const Level& level, const Schedule& schedule) {
  LevelBoard board(level);
  std::vector<std::size_t> next(schedule.lanes.size(), 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t lane = 0; lane < next.size(); ++lane)
      for (; next[lane] < schedule.lanes[lane].size() && board.place(schedule.lanes[lane][next[lane]]); ++next[lane])
        moved = true;
  }
  return board;
}

}  // namespace lanelab::test
