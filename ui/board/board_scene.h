// SPDX-License-Identifier: GPL-3.0-only
// The board's scene: where everything lies, the chips and cuts that show it, and the rows that are painted behind them.
#pragma once

#include <QGraphicsScene>
#include <optional>
#include <vector>

#include "ui/board/board_layout.h"
#include "ui/board/board_state.h"

namespace lanelab {

class ChipItem;
class CutItem;
class GripItem;

inline constexpr qreal kChipRadius = 4;

/// Where what is dragged would land.
struct DropTarget {
  std::optional<LaneId> row;
  std::optional<LaneId> cut;  ///< the cuts that lead to this lane are in the user's hand
};

class BoardScene {
 public:
  /// `state` must outlive it. `owner`: of the scene and its items.
  BoardScene(const BoardState& state, QObject* owner);

  QGraphicsScene* scene() const { return m_scene; }
  /// Where everything lies now, in scene coordinates.
  const BoardGeometry& geometry() const { return m_geometry; }
  QRectF chip(int block) const { return m_geometry.chips[static_cast<std::size_t>(block)].rect; }

  /// Lays everything out in a view of this size. `focused`: the keyboard is on the board.
  void refresh(QSizeF view, bool focused, const DropTarget& target);
  /// Behind the chips. `seen`: the part of the scene that the view shows, for words in rows without blocks.
  void paintRows(QPainter& painter, const QRectF& exposed, const QRectF& seen, const DropTarget& target) const;
  /// Over everything, if there is no lane or no variant yet.
  void paintMissing(QPainter& painter, const QRectF& seen) const;

 private:
  BoardSizes sizes(qreal width) const;
  void showChips(bool focused);
  void showCuts(const DropTarget& target);
  void showGrips(const DropTarget& target);
  void paintRow(QPainter& painter, const BoardGeometry::Row& row, bool target) const;
  void paintHint(QPainter& painter, const BoardGeometry::Row& row, const QRectF& seen) const;
  void paintCopies(QPainter& painter, const BoardGeometry::Row& row) const;
  void paintCopy(QPainter& painter, const BlockSpec& block, const QString& name, const QRectF& place) const;

  const BoardState& m_state;
  QGraphicsScene* m_scene;
  BoardGeometry m_geometry;
  std::vector<QString> m_short_names;  ///< block by block
  std::vector<ChipItem*> m_chips;
  std::vector<CutItem*> m_cuts;
  std::vector<GripItem*> m_grips;
};

}  // namespace lanelab
