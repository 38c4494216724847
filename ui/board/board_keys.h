// SPDX-License-Identifier: GPL-3.0-only
// Which key does what on the board; board_view.h lists them. The menu of blocks does the same as digits do.
#pragma once

#include <QKeyEvent>
#include <vector>

#include "ui/board/board_drag.h"
#include "ui/board/board_state.h"

class QMenu;

namespace lanelab {

class BoardKeys {
 public:
  /// All must outlive it.
  BoardKeys(BoardState& state, BoardDrag& drag) : m_state(state), m_drag(drag) {}

  /// False where the key means nothing here.
  bool press(const QKeyEvent& event);
  /// An entry per lane that moves the chosen blocks there.
  void fillMoveMenu(QMenu& menu);
  /// As one edit; does nothing where the lane does not exist or the board is read only.
  void moveToLane(const std::vector<BlockId>& blocks, LaneId lane);

 private:
  bool carryKey(const QKeyEvent& event);
  bool editKey(const QKeyEvent& event);
  bool walkKey(const QKeyEvent& event);
  bool chooseAll();
  bool choose(std::set<int> blocks);
  void pickUp(const std::vector<BlockId>& blocks, LaneId lane);
  void carryBy(int lanes);
  void moveCut(int by);

  BoardState& m_state;
  BoardDrag& m_drag;
};

}  // namespace lanelab
