#include "ui/timeline/dense_strip.h"

#include <QPaintEngine>
#include <algorithm>

namespace lanelab {

DenseStrip::DenseStrip(QPainter& painter, const QRect& area, const QImage& background)
    : m_painter(painter),
      m_area(area),
      m_raster(painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster),
      m_image(background) {}

void DenseStrip::fill(int x0, int x1, int height, const QColor& color) {
  const int from = std::max(x0, m_area.left()), to = std::min(x1, m_area.right() + 1), high = std::min(height, m_area.height());
  if (from >= to || high <= 0) return;
  if (!m_raster) return m_painter.fillRect(QRect(from, m_area.bottom() + 1 - high, to - from, high), color);
  if (m_heights.empty()) {
    m_heights.resize(static_cast<std::size_t>(m_area.width()));
    m_colors.resize(m_heights.size());
  }
  std::fill_n(m_heights.begin() + (from - m_area.left()), to - from, high);
  std::fill_n(m_colors.begin() + (from - m_area.left()), to - from, color.rgba());
}

void DenseStrip::writeLine(int y) {
  auto* const pixels = reinterpret_cast<QRgb*>(m_image.scanLine(y));
  const int from_bottom = m_area.height() - y;
  for (std::size_t x = 0; x < m_heights.size(); ++x) pixels[x] = m_heights[x] >= from_bottom ? m_colors[x] : pixels[x];
}

void DenseStrip::finish() {
  if (!m_heights.empty() && m_image.isNull()) {
    m_image = QImage(m_area.size(), QImage::Format_ARGB32_Premultiplied);
    m_image.fill(Qt::transparent);
  }
  if (m_image.isNull()) return;
  for (int y = 0; y < m_area.height() && !m_heights.empty(); ++y) writeLine(y);
  m_painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
  m_painter.drawImage(m_area.topLeft(), m_image);
}

}  // namespace lanelab
