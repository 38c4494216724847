// SPDX-License-Identifier: GPL-3.0-only
// The board of a level: a row a lane with what is placed, a column a unit, par as a line, and below it the tray of
// actions that are still to be placed. The action under the pointer, or the selected one, is drawn where it would be.
// The view asks for moves and shows the board that it is given; it places nothing by itself. Thread: GUI.
//
// Mouse: a click on an action of the tray or on its ghost places it, as a drag onto its lane does; a click on a lane
// selects the lane. Keys: Up and Down select a lane, Left and Right an action, Enter or Space places it, Backspace
// takes the last one back, Esc ends a drag.
#pragma once

#include <QAbstractScrollArea>
#include <optional>
#include <vector>

#include "engine/levels/level_board.h"

namespace lanelab {

class LevelView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit LevelView(QWidget* parent = nullptr);

  void setBoard(const LevelBoard& board);
  /// What the user looks at: dragged, under the pointer, or selected; none if all of the lane is placed.
  std::optional<Action> pointed() const;
  LaneId lane() const { return m_lane; }  ///< the selected one
  void select(const Action& action);

  /// Where things are in the viewport; chips are the actions of the tray, of which only shown ones have a place.
  QRect laneRect(LaneId lane) const;
  QRect cellRect(const PlacedAction& placed) const;
  std::optional<QRect> chipRect(const Action& action) const;
  std::optional<QRect> ghostRect() const;
  int parX() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  /// The user wants it to be the next of that lane, which may not be possible.
  void placeRequested(const lanelab::Action& action, lanelab::LaneId lane);
  void undoRequested();
  void closeRequested();  ///< Esc
  void pointedChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  struct Drag {
    Action action;
    QPoint start;
    QPoint now;
    bool moving = false;
  };

  static constexpr int kStored = 5;  ///< side of the square of a stored activation

  int lanes() const { return m_board.level().lanes; }
  std::int64_t columns() const;
  void layOut();
  void updateScrollBars();
  bool hasTrayOf(LaneId lane) const { return m_all_trays || lane == m_lane; }
  int trayTop(LaneId lane) const;
  QPoint scrolled() const;
  std::optional<Action> chipAt(QPoint pixel) const;
  std::optional<LaneId> laneAt(QPoint pixel) const;
  std::vector<Action> unplaced(LaneId lane) const;
  void selectLane(int lane);
  void selectNext(int by);
  void selectPlaceable();
  void hover(std::optional<Action> action);
  void changePointed(const std::optional<Action>& before);
  void request(const Action& action, LaneId lane);
  void endDrag();
  void reveal(const QRect& rect);
  void paintLane(QPainter& painter, LaneId lane) const;
  void paintGhost(QPainter& painter) const;
  void paintPar(QPainter& painter) const;
  void paintAxis(QPainter& painter) const;
  void paintHeader(QPainter& painter, LaneId lane) const;
  void paintStored(QPainter& painter, LaneId lane, const QRect& room) const;
  void paintTray(QPainter& painter, LaneId lane) const;
  void paintTrayHeader(QPainter& painter, LaneId lane) const;
  void paintChip(QPainter& painter, const QRect& rect, const Action& action) const;

  LevelBoard m_board;
  std::int64_t m_par = 0;
  LaneId m_lane;
  std::optional<Action> m_selected;  ///< of m_lane
  std::optional<Action> m_hovered;
  std::optional<Drag> m_drag;
  bool m_all_trays = false;  ///< else that of the selected lane alone
  int m_column = 0;          ///< width of a unit in pixels
  int m_row = 0;
  int m_header = 0;
  int m_axis = 0;
  int m_chip = 0;  ///< width; its height is m_tray
  int m_tray = 0;
};

}  // namespace lanelab
