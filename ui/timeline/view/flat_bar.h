// SPDX-License-Identifier: GPL-3.0-only
// A scroll bar of plain colours. The style's own has gradients over all of its length, which cost more than a picture
// of forty lanes, each time that the view is zoomed or moved.
#pragma once

#include <QScrollBar>

namespace lanelab {

class FlatBar : public QScrollBar {
 public:
  FlatBar(Qt::Orientation orientation, QWidget* parent);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintArrow(QPainter& painter, const QRect& button, bool forwards) const;
};

}  // namespace lanelab
