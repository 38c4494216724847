// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/painter_surface.h"

#include <QPaintEngine>
#include <cmath>

namespace lanelab {
namespace {

bool takesPixels(const QPainter& painter, qreal ratio) {
  const QPaintEngine* engine = painter.paintEngine();
  return engine && engine->type() == QPaintEngine::Raster &&
         painter.worldTransform().type() <= QTransform::TxTranslate && painter.device()->devicePixelRatioF() == ratio;
}

}  // namespace

PainterSurface::PainterSurface(QPainter& painter, const TimelineData& data, const look::Palette& palette,
                               const std::vector<std::pair<int, int>>& idle, LabelCache& labels)
    : m_painter(painter),
      m_data(data),
      m_palette(palette),
      m_idle(idle),
      m_labels(labels),
      m_pixels(takesPixels(painter, labels.ratio())) {}

void PainterSurface::fill(const QRect& rect, QRgb color) { m_painter.fillRect(rect, QColor::fromRgb(color)); }

void PainterSurface::idle(const QRect& row) {
  for (const auto& [x0, x1] : m_idle) {
    const QRect piece(x0, row.top(), x1 - x0, row.height());
    m_painter.fillRect(piece, m_palette.idle_background);
    look::hatch(m_painter, piece, m_palette.idle_hatch, kIdleSpacing);
  }
}

void PainterSurface::bar(const QRect& rect, QRgb outline, const QRect& inner, QRgb color,
                         const std::optional<Hatch>& hatch) {
  fill(rect, outline);
  fill(inner, color);
  if (hatch) look::hatch(m_painter, inner, QColor::fromRgb(hatch->lines), hatch->spacing);
}

void PainterSurface::columns(const ColumnProfile& profile) {
  const std::vector<int>& heights = profile.heights();
  const QRect& area = profile.area();
  for (std::size_t from = 0, to = 0; from < heights.size(); from = to) {
    for (to = from + 1;
         to < heights.size() && heights[to] == heights[from] && profile.colors()[to] == profile.colors()[from];)
      ++to;
    if (heights[from] == 0) continue;
    fill(QRect(area.left() + static_cast<int>(from), area.bottom() + 1 - heights[from], static_cast<int>(to - from),
               heights[from]),
         profile.colors()[from]);
  }
}

void PainterSurface::label(const LabelOrder& order) {
  const LabelCache::Label& label = m_labels.make(order.key, m_data, m_pixels);
  const auto place = m_labels.place(label, order.room, order.margin);
  if (!place) return;
  if (order.plate) fill(plateOf(order, *place), *order.plate);
  if (m_pixels) return m_painter.drawImage(QPointF(std::round(place->left), place->top), place->text->pixels);
  m_painter.setFont(m_labels.font());
  m_painter.setPen(QColor::fromRgb(order.key.ink));
  m_painter.drawText(QPointF(place->left, place->baseline), place->text->text);
}

}  // namespace lanelab
