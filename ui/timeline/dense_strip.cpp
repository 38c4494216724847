#include "ui/timeline/dense_strip.h"

#include <QPaintEngine>
#include <algorithm>

namespace lanelab {

DenseStrip::DenseStrip(QPainter& painter, const QRect& area)
    : m_painter(painter), m_area(area), m_raster(painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster) {}

void DenseStrip::fill(const QRect& rect, const QColor& color) {
  const QRect seen = rect.intersected(m_area);
  if (seen.isEmpty()) return;
  if (!m_raster) return m_painter.fillRect(seen, color);
  if (m_image.isNull()) {
    m_image = QImage(m_area.size(), QImage::Format_ARGB32_Premultiplied);
    m_image.fill(Qt::transparent);
    m_pixels = reinterpret_cast<QRgb*>(m_image.bits());
  }
  const QRgb value = color.rgba();
  const std::ptrdiff_t stride = m_image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
  QRgb* line = m_pixels + (seen.top() - m_area.top()) * stride + (seen.left() - m_area.left());
  for (int y = 0; y < seen.height(); ++y, line += stride) std::fill_n(line, seen.width(), value);
}

void DenseStrip::finish() {
  if (m_image.isNull()) return;
  m_painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  m_painter.drawImage(m_area.topLeft(), m_image);
}

}  // namespace lanelab
