// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/timeline_painter.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <algorithm>
#include <cmath>

#include "ui/look/plain_text.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/paint/frame_painter.h"
#include "ui/timeline/paint/painter_surface.h"
#include "ui/timeline/paint/replica_band_painter.h"

namespace lanelab {

TimelinePainter::TimelinePainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range,
                                 const look::Palette& palette)
    : m_data(data),
      m_layout(layout),
      m_palette(palette),
      m_scale(layout.scale(range)),
      m_tick(tickStep(m_scale, kTickPixels)),
      m_font(look::smallFont()),
      m_rows(data, layout, m_scale, palette) {}

void TimelinePainter::paintBody(QPainter& painter) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  paintGrid(painter);
  LabelCache labels(m_font, painter.device()->devicePixelRatioF());
  PainterSurface surface(painter, m_data, m_palette, m_rows.idlePieces(), labels);
  for (const RowBox& box : m_rows.visible()) m_rows.paint(surface, box);
  paintMarks(painter);
  painter.restore();
}

void TimelinePainter::paintBody(QImage& image, const QRect& clip, RowRaster& raster, LabelCache& labels) const {
  const auto paintPart = [&](void (TimelinePainter::*part)(QPainter&) const) {
    QPainter painter(&image);
    painter.setClipRect(clip);
    (this->*part)(painter);
  };
  paintPart(&TimelinePainter::paintGrid);
  raster.paint(image, clip, m_rows, labels);
  paintPart(&TimelinePainter::paintMarks);
}

/// What lies over the rows.
void TimelinePainter::paintMarks(QPainter& painter) const {
  paintStepLines(painter);
  paintFailures(painter);
}

void TimelinePainter::paintGrid(QPainter& painter) const {
  if (m_scale.degenerate()) return;
  ReplicaBandPainter(m_data, m_layout, m_palette).paintBody(painter);
  painter.setPen(m_palette.grid);
  const double bottom = std::min(m_layout.body.bottom(),
                                 m_layout.lanes.empty() ? m_layout.body.top() : m_layout.lanes.back().rect.bottom());
  for (const Nanoseconds time : tickTimes(m_scale.range, m_tick, m_data.range().start)) {
    const double x = std::round(m_scale.x(time));
    painter.drawLine(QPointF(x, m_layout.body.top()), QPointF(x, bottom));
  }
  for (const LaneBox& lane : m_layout.lanes) painter.drawLine(lane.rect.bottomLeft(), lane.rect.bottomRight());
}

void TimelinePainter::paintStepLines(QPainter& painter) const {
  if (m_layout.lanes.empty()) return;
  const double top = m_layout.body.top(),
               bottom = std::min(m_layout.lanes.back().rect.bottom(), m_layout.body.bottom());
  painter.setPen(look::mix(m_palette.line, m_palette.muted_text, 0.5));
  double last = -1;
  for (const StepWindow& step : m_data.steps()) {
    for (const Nanoseconds time : {step.range.start, step.range.end}) {
      const double x = std::round(m_scale.x(time));
      if (time < m_scale.range.start || time > m_scale.range.end || x - last < 4) continue;
      painter.drawLine(QPointF(x, top), QPointF(x, bottom));
      last = x;
    }
  }
}

void TimelinePainter::paintFailures(QPainter& painter) const {
  for (const SpanRef& failure : m_data.failures()) paintFailure(painter, failure);
}

/// A line where the error came and a flag beside it, so that it is seen at every zoom.
void TimelinePainter::paintFailure(QPainter& painter, SpanRef ref) const {
  const Span& span = m_data.span(ref);
  const RowBox* box = m_layout.boxOf(ref.row);
  if (!box || span.end < m_scale.range.start || span.start > m_scale.range.end) return;
  const double x = std::round(std::min(m_scale.x(span.end), m_layout.body.right() - 2));
  const QRectF row = box->rect.adjusted(0, -2, 0, 2);
  painter.fillRect(QRectF(x - 1, row.top(), 3, row.height()), m_palette.error);
  const QString text = look::shownName(m_data.trace().nameOf(span));
  const QFontMetricsF metrics(m_font);
  const QSizeF size(metrics.horizontalAdvance(text) + 2 * look::kGrid, std::min(metrics.height(), row.height()));
  const double left = x + 2 + size.width() <= m_layout.body.right() ? x + 2 : x - 1 - size.width();
  const QRectF flag(QPointF(left, row.top()), size);
  painter.fillRect(flag, m_palette.error);
  painter.setPen(look::inkOn(m_palette.error));
  painter.setFont(m_font);
  painter.drawText(flag, Qt::AlignCenter, text);
}

}  // namespace lanelab
