// SPDX-License-Identifier: GPL-3.0-only
// The columns beside the board's rows: a header for each lane on the left, shares of cost and memory on the right.
#pragma once

#include <vector>

#include "ui/board/board_lane_actions.h"
#include "ui/board/board_state.h"
#include "ui/board/lane_columns.h"

namespace lanelab {

class BoardColumns {
 public:
  /// In a board of this width: a narrow one has the numbers without bars.
  static int sharesWidth(int board);

  /// `view` becomes the columns' parent. `state` and `actions`, which headers lead to, must outlive it.
  BoardColumns(BoardState& state, BoardLaneActions& actions, QWidget* view);

  /// `rows`: of the board, which follow the lanes.
  void refresh(const std::vector<BoardGeometry::Row>& rows);
  /// Level with the rows. `viewport`: of the board in its view, in which it is scrolled down by `scrolled`.
  void place(const std::vector<BoardGeometry::Row>& rows, const QRect& viewport, int scrolled);
  /// What refresh() worked out: of each lane its memory, as shownMemory() says, and its title.
  const std::vector<LaneMemory>& memory() const { return m_memory; }
  const QStringList& titles() const { return m_titles; }
  /// In place, in the lane's header.
  void startRename(int lane);

 private:
  void addHeader();
  void matchHeaders(std::size_t lanes);
  LaneHeader::Look headerLook(std::size_t lane, const QString& title, const BoardGeometry::Row& row, int replica) const;

  BoardState& m_state;
  BoardLaneActions& m_actions;
  QWidget* m_header_column;
  std::vector<LaneHeader*> m_headers;
  LaneShares* m_shares;
  std::vector<LaneMemory> m_memory;
  QStringList m_titles;
};

}  // namespace lanelab
