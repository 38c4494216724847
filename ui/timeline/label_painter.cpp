#include "ui/timeline/label_painter.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPixmapCache>
#include <cmath>

namespace lanelab {
namespace {

bool onScreen(const QPainter& painter) {
  const QPaintEngine* engine = painter.paintEngine();
  return engine && engine->type() == QPaintEngine::Raster && painter.worldTransform().type() <= QTransform::TxTranslate;
}

}  // namespace

LabelPainter::LabelPainter(const QFont& font) : m_font(font) {
  const QFontMetricsF metrics(font);
  m_ascent = std::ceil(metrics.ascent());
  m_height = std::ceil(metrics.ascent()) + std::ceil(metrics.descent());
  m_capitals = metrics.capHeight();
}

double LabelPainter::widthOf(const QString& label) {
  const auto known = m_widths.constFind(label);
  if (known != m_widths.cend()) return *known;
  return *m_widths.insert(label, QFontMetricsF(m_font).horizontalAdvance(label));
}

void LabelPainter::draw(QPainter& painter, double left, double middle, const QString& label, const QColor& ink) {
  const double baseline = std::round(middle + m_capitals / 2);
  if (onScreen(painter)) {
    painter.drawPixmap(QPointF(std::round(left), baseline - m_ascent), pixmapOf(label, ink, painter.device()->devicePixelRatioF()));
    return;
  }
  painter.setFont(m_font);
  painter.setPen(ink);
  painter.drawText(QPointF(left, baseline), label);
}

/// A view makes a painter anew for each picture, so what is drawn once is also kept beyond it.
QPixmap LabelPainter::pixmapOf(const QString& label, const QColor& ink, qreal ratio) {
  QPixmap& pixmap = m_pixmaps[{label, ink.rgba()}];
  if (!pixmap.isNull() && pixmap.devicePixelRatio() == ratio) return pixmap;
  const QString key = QStringLiteral("lanelab-label/%1/%2/%3/%4").arg(m_font.pixelSize()).arg(ink.rgba()).arg(ratio).arg(label);
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  pixmap = QPixmap((QSizeF(std::ceil(widthOf(label)) + 1, m_height) * ratio).toSize());
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setFont(m_font);
  painter.setPen(ink);
  painter.drawText(QPointF(0, m_ascent), label);
  painter.end();
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

}  // namespace lanelab
