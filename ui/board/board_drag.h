// SPDX-License-Identifier: GPL-3.0-only
// What the pointer or the keyboard is in the middle of on the board: blocks, a cut or the handle of an empty lane that
// are dragged, blocks that keys carry, a rubber band. What a drop means is in board_layout; the document makes the
// edit.
#pragma once

#include <QPoint>
#include <QPointF>
#include <optional>
#include <vector>

#include "ui/board/board_scene.h"

class QGraphicsView;
class QMouseEvent;
class QRubberBand;

namespace lanelab {

class GhostItem;

class BoardDrag {
 public:
  /// All must outlive it; `view` shows the scene.
  BoardDrag(QGraphicsView& view, BoardState& state, const BoardScene& scene);

  bool active() const { return m_kind != Kind::None; }
  bool carries() const { return m_kind == Kind::Carried; }
  DropTarget target() const;

  void press(const QMouseEvent& event);
  void move(const QMouseEvent& event);
  void release(const QMouseEvent& event);
  /// Blocks that keys pick up, and the lane that they would land on.
  void carry(std::vector<BlockId> blocks, LaneId lane);
  void carryBy(int lanes);
  void drop();  ///< makes the edit that the preview shows, if there is one
  void end();   ///< everything lies as before

 private:
  enum class Kind { None, Pressed, Chips, Cut, Grip, Band, Carried };

  void pressOnChip(BlockId block, Qt::KeyboardModifiers keys);
  void pressOnRow(QPointF point, bool extend);
  void dragTo(QPoint pixel);
  void dragChips(QPointF point);
  void dragCut(QPointF point);
  void dragGrip(QPointF point);
  void dragBand(QPoint pixel);
  void preview(const Placement& placement);
  void showGhost(QPointF point);
  void hover(QPoint pixel);
  QString undoText() const;

  QGraphicsView& m_view;
  BoardState& m_state;
  const BoardScene& m_scene;
  GhostItem* m_ghost;
  QRubberBand* m_band;

  Kind m_kind = Kind::None;
  QPointF m_start;       ///< scene
  QPoint m_start_pixel;  ///< viewport
  std::vector<BlockId> m_blocks;
  BlockId m_cut;
  LaneId m_lane;                   ///< where blocks would land; of a cut the lane behind it
  BlockChoice m_before;            ///< what the rubber band adds to
  std::optional<BlockId> m_click;  ///< a press on a chosen chip that may still become a plain click
};

}  // namespace lanelab
