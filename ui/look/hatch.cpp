#include <QPainter>
#include <QVarLengthArray>
#include <algorithm>
#include <cmath>

#include "ui/look/theme.h"

namespace lanelab::look {

/// Each line is cut at the rectangle's edges by arithmetic, not by a clip: an SVG keeps plain lines, and no clip path for each span.
/// The lines are laid on x + y = n * spacing of the painter's own plane, so that the hatch of neighbours joins.
void hatch(QPainter& painter, const QRectF& rect, const QColor& color, qreal spacing) {
  if (rect.isEmpty() || spacing <= 0) return;
  QVarLengthArray<QLineF, 128> lines;
  const qreal last = rect.right() + rect.bottom();
  for (qreal sum = std::ceil((rect.left() + rect.top()) / spacing) * spacing; sum < last; sum += spacing) {
    const qreal x1 = std::max(rect.left(), sum - rect.bottom());
    const qreal x2 = std::min(rect.right(), sum - rect.top());
    if (x2 > x1) lines.append(QLineF(x1, sum - x1, x2, sum - x2));
  }
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, 1, Qt::SolidLine, Qt::FlatCap));
  painter.drawLines(lines.constData(), static_cast<int>(lines.size()));
  painter.restore();
}

}  // namespace lanelab::look
