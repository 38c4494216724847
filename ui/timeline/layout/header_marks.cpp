// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/header_marks.h"

namespace lanelab {

void paintTriangle(QPainter& painter, QPointF at, bool collapsed) {
  const QPolygonF down({at + QPointF(-4, -2.5), at + QPointF(4, -2.5), at + QPointF(0, 2.5)});
  const QPolygonF right({at + QPointF(-2.5, -3.5), at + QPointF(-2.5, 3.5), at + QPointF(2.5, 0)});
  painter.drawPolygon(collapsed ? right : down);
}

void paintPin(QPainter& painter, QPointF at) {
  painter.drawRect(QRectF(at.x() - 3, at.y() - 5, 6, 1.5));
  painter.drawRect(QRectF(at.x() - 2, at.y() - 4, 4, 4));
  painter.drawRect(QRectF(at.x() - 4, at.y(), 8, 1.5));
  painter.drawRect(QRectF(at.x() - 0.5, at.y() + 1.5, 1, 4));
}

}  // namespace lanelab
