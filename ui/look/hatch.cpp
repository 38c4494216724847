// SPDX-License-Identifier: GPL-3.0-only
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QVarLengthArray>
#include <algorithm>
#include <cmath>

#include "ui/look/theme.h"

namespace lanelab::look {
namespace {

QPen hatchPen(const QColor& color) { return QPen(color, 1, Qt::SolidLine, Qt::FlatCap); }

/// Each line is cut at the rectangle's edges by arithmetic, not by a clip: an SVG keeps plain lines, and no clip path
/// for each span.
void hatchWithLines(QPainter& painter, const QRectF& rect, const QColor& color, qreal spacing) {
  QVarLengthArray<QLineF, 128> lines;
  const qreal last = rect.right() + rect.bottom();
  for (qreal sum = std::ceil((rect.left() + rect.top()) / spacing) * spacing; sum < last; sum += spacing) {
    const qreal x1 = std::max(rect.left(), sum - rect.bottom());
    const qreal x2 = std::min(rect.right(), sum - rect.top());
    if (x2 > x1) lines.append(QLineF(x1, sum - x1, x2, sum - x2));
  }
  const PainterScope scope(painter, /*antialiased=*/true);
  painter.setPen(hatchPen(color));
  painter.drawLines(lines.constData(), static_cast<int>(lines.size()));
}

/// One period of the hatch in both directions, several times over so that the tiling has few tiles to lay.
QPixmap hatchTile(const QColor& color, int spacing, qreal ratio) {
  constexpr int kPeriods = 12;
  const QString key = QStringLiteral("lanelab-hatch/%1/%2/%3").arg(color.rgba()).arg(spacing).arg(ratio);
  QPixmap tile;
  if (QPixmapCache::find(key, &tile)) return tile;
  const int side = kPeriods * spacing;
  tile = QPixmap((QSizeF(side, side) * ratio).toSize());
  tile.setDevicePixelRatio(ratio);
  tile.fill(Qt::transparent);
  QPainter painter(&tile);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hatchPen(color));
  for (int sum = 0; sum <= 2 * side; sum += spacing)
    painter.drawLine(QPointF(sum, 0), QPointF(sum - 2 * side, 2 * side));
  painter.end();
  QPixmapCache::insert(key, tile);
  return tile;
}

/// On a plain screen surface a tile is many times faster than antialiased lines, and looks the same.
bool canTile(const QPainter& painter, qreal spacing) {
  const QPaintEngine* engine = painter.paintEngine();
  return engine && engine->type() == QPaintEngine::Raster &&
         painter.worldTransform().type() <= QTransform::TxTranslate && spacing == std::floor(spacing);
}

}  // namespace

PainterScope::PainterScope(QPainter& painter, bool antialiased) : m_painter(painter) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, antialiased);
}

PainterScope::~PainterScope() { m_painter.restore(); }

/// The lines lie on x + y = n * spacing of the painter's own plane, so that the hatch of neighbours joins.
void hatch(QPainter& painter, const QRectF& rect, const QColor& color, qreal spacing) {
  if (rect.isEmpty() || spacing <= 0) return;
  if (!canTile(painter, spacing)) return hatchWithLines(painter, rect, color, spacing);
  const QPixmap tile = hatchTile(color, static_cast<int>(spacing), painter.device()->devicePixelRatioF());
  const qreal period = tile.deviceIndependentSize().width();
  const auto phase = [period](qreal x) { return x - std::floor(x / period) * period; };
  painter.drawTiledPixmap(rect, tile, QPointF(phase(rect.left()), phase(rect.top())));
}

}  // namespace lanelab::look
