// SPDX-License-Identifier: GPL-3.0-only
// PLACE: blocks as chips in lanes, x in model order, y the lane, width by cost. Drag a chip, a rubber-band selection or
// a cut handle.
//
// By keys: arrows walk, Shift extends, Ctrl+Up/Down moves the chosen blocks a lane up or down, digits put them on that
// lane, Space picks them up (then Up/Down and Enter), Ctrl+Left/Right moves the cut of the stage, the Menu key opens
// the menu, Esc puts everything back.
#pragma once

#include <QGraphicsView>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/record/run_record.h"
#include "ui/board/board_layout.h"
#include "ui/board/lane_memory.h"
#include "ui/experiment/experiment_document.h"

class QMenu;
class QRubberBand;

namespace lanelab {

class ChipItem;
class CutItem;
class GhostItem;
class LaneHeader;
class LaneShares;

class BoardView : public QGraphicsView {
  Q_OBJECT

 public:
  /// `devices` fill the lane headers' device menus.
  BoardView(ExperimentDocument* document, std::vector<DeviceInfo> devices, QWidget* parent = nullptr);
  ~BoardView() override;

  enum class WidthBy { Macs, Parameters, Memory };
  void setWidthBy(WidthBy by);
  void setReadOnly(bool read_only);
  /// The run whose measured memory is marked on the bars, as long as the experiment is still the run's; null: none.
  void showRun(std::shared_ptr<const RunRecord> run);
  std::vector<BlockId> selectedBlocks() const;
  /// Where everything lies now, in scene coordinates.
  const BoardGeometry& geometryNow() const { return m_geometry; }
  /// Forecast of each lane's memory, of the placement as it is drawn; empty where the variant cannot run.
  std::vector<LaneMemory> previewedMemory() const;
  std::vector<LaneMemory> shownMemory() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 public Q_SLOTS:
  void addLane();
  void removeSelectedLane();
  void renameSelectedLane();

 Q_SIGNALS:
  void selectionChanged();
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
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  /// What the pointer or the keyboard is in the middle of.
  struct Gesture {
    enum class Kind { None, Pressed, Chips, Cut, Band, Carried };
    Kind kind = Kind::None;
    QPointF start;       ///< scene
    QPoint start_pixel;  ///< viewport
    std::vector<BlockId> blocks;
    BlockId cut;
    LaneId lane;                    ///< where carried or dragged blocks would land
    std::set<int> selected_before;  ///< for the rubber band
    std::optional<BlockId> click;   ///< a press on a chosen chip that may still become a plain click
  };

  // what is shown (board_view.cpp)
  void refresh();
  void refreshItems();
  void refreshLanes();
  void refreshMemory();
  const VariantRecord* measuredVariant() const;
  void placeLaneColumns();
  Placement shownPlacement() const;
  QString chipTip(const BlockSpec& block, double share) const;
  int samples() const;
  BoardSizes sizes() const;
  std::vector<int> repeated_lanes() const;
  std::vector<int> replicas() const;
  void drawCopies(QPainter* painter, const BoardGeometry::Row& row) const;
  QString costName() const;

  // choosing, dragging, keys (board_gestures.cpp)
  void choose(std::set<int> blocks);
  void setFocusBlock(int block, bool extend);
  void pressOnChip(BlockId block, const QMouseEvent& event);
  void moveGesture(QPointF scene, QPoint pixel);
  void dragChips(QPointF scene);
  void dragBand(QPoint pixel);
  void showPreview(const Placement& placement);
  void drop();
  void endGesture();
  void hover(QPoint pixel);
  bool carryKey(const QKeyEvent& event);
  bool editKey(const QKeyEvent& event);
  bool walkKey(const QKeyEvent& event);
  std::vector<BlockId> blocksForKeys() const;
  void moveToLane(const std::vector<BlockId>& blocks, LaneId lane);
  void moveCutByKey(int by);
  void speakFocus();

  // lanes (board_lanes.cpp)
  int laneCount() const;
  void pickLane(int lane);
  void fillLaneMenu(QMenu& menu, int lane);
  void fillDeviceMenu(QMenu& menu, int lane);
  void fillThreadsMenu(QMenu& menu, int lane);
  void showLaneMenu(int lane, const QPoint& global);
  void renameLane(int lane, const QString& name);
  void setDevice(int lane, Device device);
  bool hasDevice(Device device) const;

  ExperimentDocument* m_document;
  std::vector<DeviceInfo> m_devices;
  std::shared_ptr<const RunRecord> m_run;
  ChipCost m_by = ChipCost::Macs;
  bool m_read_only = false;
  BoardGeometry m_geometry;
  std::optional<Placement> m_preview;
  Gesture m_gesture;
  std::set<int> m_selected;
  int m_focus = 0;
  int m_anchor = 0;
  int m_lane = 0;  ///< the lane that menu entries mean
  std::vector<ChipItem*> m_chips;
  std::vector<CutItem*> m_cuts;
  GhostItem* m_ghost;
  QRubberBand* m_band;
  QWidget* m_header_column;
  std::vector<LaneHeader*> m_headers;
  LaneShares* m_shares;
};

}  // namespace lanelab
