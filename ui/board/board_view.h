// SPDX-License-Identifier: GPL-3.0-only
// PLACE: blocks as chips in lanes, x in model order, y the lane, width by cost. Drag a chip, a rubber-band selection or
// a cut handle.
//
// By keys: arrows walk, Shift extends, Ctrl+Up/Down moves the chosen blocks a lane up or down, digits put them on that
// lane, Space picks them up (then Up/Down and Enter), Ctrl+Left/Right moves the cut of the stage, the Menu key opens
// the menu, Esc puts everything back.
//
// The view composes: BoardState is what it shows, BoardScene lays it out, BoardColumns stand beside it, BoardDrag,
// BoardKeys and BoardLaneActions change it.
#pragma once

#include <QGraphicsView>
#include <memory>
#include <vector>

#include "ui/board/board_columns.h"
#include "ui/board/board_drag.h"
#include "ui/board/board_facts.h"
#include "ui/board/board_keys.h"
#include "ui/board/board_lane_actions.h"
#include "ui/board/board_scene.h"
#include "ui/board/board_state.h"

namespace lanelab {

class BoardView : public QGraphicsView {
  Q_OBJECT

 public:
  /// `devices` fill the lane headers' device menus.
  BoardView(ExperimentDocument* document, std::vector<DeviceInfo> devices, QWidget* parent = nullptr);

  void setWidthBy(ChipCost by) { m_state.setWidthBy(by); }
  void setReadOnly(bool read_only);
  /// The run whose measured memory is marked on the bars, as long as the experiment is still the run's; null: none.
  void showRun(std::shared_ptr<const RunRecord> run) { m_state.setRun(std::move(run)); }
  std::vector<BlockId> selectedBlocks() const { return m_state.choice().blocks(); }
  /// Where everything lies now, in scene coordinates.
  const BoardGeometry& geometryNow() const { return m_scene.geometry(); }
  /// Forecast of each lane's memory, of the placement as it is drawn; empty where the variant cannot run.
  std::vector<LaneMemory> shownMemory() const { return lanelab::shownMemory(m_state); }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 public Q_SLOTS:
  void addLane() { m_lane_actions.addLane(); }
  void removeSelectedLane() { m_lane_actions.removeLane(); }
  void renameSelectedLane();

 Q_SIGNALS:
  /// While dragging: what the placement would be, for the inspector and the table; the document is not changed yet.
  void previewChanged(const lanelab::Placement& placement);
  void previewEnded();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;
  bool viewportEvent(QEvent* event) override;  ///< the mouse's
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void followParts();
  void refreshBlocks();
  void refreshLanes();
  void placeColumns();

  BoardState m_state;
  BoardScene m_scene;
  BoardLaneActions m_lane_actions;
  BoardColumns m_columns;
  BoardDrag m_drag;
  BoardKeys m_keys;
};

}  // namespace lanelab
