// SPDX-License-Identifier: GPL-3.0-only
// The columns beside the board's rows: a header for each lane on the left, shares of cost and memory on the right.
#pragma once

#include <QObject>
#include <vector>

#include "ui/board/board_state.h"
#include "ui/board/lane_columns.h"

namespace lanelab {

class BoardColumns : public QObject {
  Q_OBJECT

 public:
  static int headerWidth();
  static int sharesWidth();

  /// `view` becomes the columns' parent. `state` must outlive it.
  BoardColumns(const BoardState& state, QWidget* view);

  /// `rows`: of the board, which follow the lanes.
  void refresh(const std::vector<BoardGeometry::Row>& rows);
  /// Level with the rows. `viewport`: of the board in its view, in which it is scrolled down by `scrolled`.
  void place(const std::vector<BoardGeometry::Row>& rows, const QRect& viewport, int scrolled);
  /// In place, in the lane's header.
  void startRename(int lane);

 Q_SIGNALS:
  void picked(int lane);
  void menuWanted(int lane, const QPoint& global);
  void renameWanted(int lane);
  void renamed(int lane, const QString& name);

 private:
  void addHeader();
  void matchHeaders(std::size_t lanes);
  LaneHeader::Look headerLook(std::size_t lane, const BoardGeometry::Row& row, int replica) const;

  const BoardState& m_state;
  QWidget* m_header_column;
  std::vector<LaneHeader*> m_headers;
  LaneShares* m_shares;
};

}  // namespace lanelab
