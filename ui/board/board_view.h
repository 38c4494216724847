// SPDX-License-Identifier: GPL-3.0-only
// PLACE: blocks as chips in lanes, x in model order, y the lane, width by cost. Drag a chip, a rubber-band selection or
// a cut handle.
//
// By keys: arrows walk, Shift extends, Ctrl+Up/Down moves the chosen blocks a lane up or down, digits put them on that
// lane, Space picks them up (then Up/Down and Enter), Ctrl+Left/Right moves the cut of the stage, the Menu key opens
// the menu, Esc restores everything. C cuts before the block, B balances the stages, Ctrl+F finds a block by name.
//
// The view composes: BoardState is what it shows, BoardScene lays it out, BoardColumns are beside it, BoardDrag,
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
#include "ui/board/placement_strip.h"
#include "ui/look/latest_work.h"

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
  /// A variant's trace of that run, whose block times predictions then use.
  void showTrace(std::shared_ptr<const RunRecord> run, const std::string& variant, std::shared_ptr<const Trace> trace) {
    m_forecast.showTrace(std::move(run), variant, std::move(trace));
  }
  /// Where predictions find recorded block times; without it they are estimates.
  void setBlockTimes(FindBlockTimes find) { m_forecast.setFinder(std::move(find)); }
  /// Block times may have been recorded since the last look.
  void lookForBlockTimes() { m_forecast.lookAgain(); }
  const PlacementForecast& forecast() const { return m_forecast; }
  std::vector<BlockId> selectedBlocks() const { return m_state.choice().blocks(); }
  /// What it shows and what is chosen on it, with its signals.
  const BoardState& state() const { return m_state; }
  /// Selects the block and scrolls to it.
  void showBlock(BlockId block) { m_state.walkTo(block.value, false); }
  /// As one edit; does nothing where the lane does not exist, while something is dragged, or if the board is read only.
  void moveBlocks(const std::vector<BlockId>& blocks, LaneId lane);
  /// The lane that menus mean.
  void selectLane(int lane) { m_state.pickLane(lane); }
  const ModelSpec& model() const { return m_state.model(); }
  /// An entry, or a submenu, below those of blocks in the context menu.
  void addToMenu(QAction* entry) { m_further.push_back(entry); }
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
  /// A stage begins with the block that the keyboard is on.
  void cutBeforeBlock();
  /// Cuts the model where its step is predicted to be the shortest, by the block times of the predictions.
  /// On a worker: some hundred cuts are predicted.
  void balance();
  /// Puts all blocks that use a parameter which a cut divides on one lane, where that is possible.

 Q_SIGNALS:
  /// While dragging: what the placement would be, for the inspector and the table; the document is not changed yet.
  void previewChanged(const lanelab::Placement& placement);
  void previewEnded();
  void noticed(const QString& sentence);  ///< why a command changed nothing
  void findWanted();                      ///< Ctrl+F on the board

 protected:
  bool event(QEvent* event) override;
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
  void placeColumns();
  void refreshStrip();
  void refreshNotes();
  void useBalanced(const Result<VariantConfig>& balanced);
  void fillBlockMenu(QMenu& menu);

  std::vector<QAction*> m_further;  ///< entries of the context menu that the window adds
  BoardState m_state;
  PlacementForecast m_forecast;
  BoardScene m_scene;
  BoardLaneActions m_lane_actions;
  BoardColumns m_columns;
  PlacementStrip* m_strip;
  BoardDrag m_drag;
  BoardKeys m_keys;
  LatestWork m_balancing;
};

}  // namespace lanelab
