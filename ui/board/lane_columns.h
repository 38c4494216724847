// SPDX-License-Identifier: GPL-3.0-only
// Left and right of the board, level with its rows: each lane's name and device, and its share of the cost and its
// memory as numbers with bars.
#pragma once

#include <QAbstractButton>
#include <QLineEdit>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/board/board_layout.h"
#include "ui/board/lane_memory.h"

namespace lanelab {

/// One lane's header: a button that opens the lane's menu; double click or F2 renames in place.
class LaneHeader : public QAbstractButton {
  Q_OBJECT

 public:
  struct Look {
    int lane = 0;
    QString title;
    QString device;        ///< "cpu:0", with what is wrong behind it
    bool missing = false;  ///< no such device here
    bool selected = false;
    QString spoken;  ///< for screen readers
    bool operator==(const Look&) const = default;
  };

  explicit LaneHeader(QWidget* parent);
  void show(const Look& look);
  void startRename(const QString& name);
  QSize sizeHint() const override;

 Q_SIGNALS:
  void picked();
  void menuWanted(const QPoint& global);
  void renameWanted();
  void renamed(const QString& name);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QRectF arrowArea() const;
  void endRename(bool keep);

  Look m_look;
  QLineEdit* m_editor = nullptr;
  QString m_name;  ///< in the editor before anybody typed
};

class LaneShares : public QWidget {
  Q_OBJECT

 public:
  explicit LaneShares(QWidget* parent) : QWidget(parent) {}
  /// `rows` in scene coordinates, `scrolled` how far the board is scrolled down.
  void show(const std::vector<BoardGeometry::Row>& rows, qreal scrolled, ChipCost cost);
  /// Forecasts a lane with its title, in the order of the rows; none: no bars. show() follows.
  void showMemory(const std::vector<LaneMemory>& lanes, const QStringList& titles);

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void describe();
  void paintShare(QPainter& painter, const BoardGeometry::Row& row, const QRectF& line) const;
  void paintMemory(QPainter& painter, std::size_t row, const QRectF& line) const;

  std::vector<BoardGeometry::Row> m_rows;
  std::vector<LaneMemory> m_memory;
  QStringList m_titles;
  ChipCost m_cost = ChipCost::Macs;
  qreal m_scrolled = 0;
};

}  // namespace lanelab
