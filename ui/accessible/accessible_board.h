// SPDX-License-Identifier: GPL-3.0-only
// The board for screen readers: a list of lanes, each a list of its blocks. A block can be selected and moved to
// another lane by its actions. Announces the block that the keyboard is on, and which blocks become selected. Thread:
// GUI.
#pragma once

#include <set>
#include <vector>

#include "ui/accessible/accessible_part.h"
#include "ui/accessible/accessible_view.h"
#include "ui/board/board_view.h"

namespace lanelab {

class AccessibleBoard : public AccessibleView {
  Q_DECLARE_TR_FUNCTIONS(AccessibleBoard)

 public:
  explicit AccessibleBoard(BoardView& board);

  BoardView& board() const { return m_board; }
  /// Of a lane, in model order; none for a lane that the board does not have.
  const std::vector<BlockId>& blocksOf(LaneId lane) const;
  /// Null for what the board does not have.
  QAccessibleInterface* lane(LaneId lane) const;
  QAccessibleInterface* block(BlockId block) const;
  QString titleOf(LaneId lane) const;
  /// In the view's coordinates.
  QRect areaOf(const QRectF& scene) const;

 protected:
  int laneCount() const override { return static_cast<int>(m_board.geometryNow().rows.size()); }
  QAccessibleInterface* laneInPlace(int place) const override { return lane(LaneId(place)); }
  int placeOf(const QAccessibleInterface& part) const override;
  QAccessibleInterface* partAt(QPoint point) const override;
  QAccessibleInterface* currentPart() const override;

 private:
  void follow();
  void announceSelection();

  BoardView& m_board;
  mutable std::vector<std::vector<BlockId>> m_blocks;  ///< by lane, while m_blocks_known
  mutable bool m_blocks_known = false;
  std::set<int> m_selected;  ///< that screen readers know of
  mutable PartCache<int> m_lane_parts, m_block_parts;
};

}  // namespace lanelab
