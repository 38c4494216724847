// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/overlay_painter.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kBoxPadding = 2.5 * look::kGrid;
constexpr double kColumnGap = 3 * look::kGrid;
constexpr qsizetype kErrorWidth = 64;  // letters a line
constexpr double kPointerGap = 4 * look::kGrid;
constexpr double kBeyond = 40;  // pixels outside the body where an arrow from afar begins

/// `box` moved so that it lies in `area`; beside `anchor` on the side with room.
QRectF placedBeside(QPointF anchor, QSizeF size, const QRectF& area) {
  double x = anchor.x() + kPointerGap, y = anchor.y() + kPointerGap;
  if (x + size.width() > area.right()) x = anchor.x() - kPointerGap - size.width();
  if (y + size.height() > area.bottom()) y = anchor.y() - kPointerGap - size.height();
  x = std::max(std::min(x, area.right() - size.width()), area.left());
  y = std::max(std::min(y, area.bottom() - size.height()), area.top());
  return QRectF(QPointF(std::round(x), std::round(y)), size);
}

}  // namespace

OverlayPainter::OverlayPainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range,
                               const look::Palette& palette)
    : m_data(data), m_layout(layout), m_palette(palette), m_scale(layout.scale(range)) {}

void OverlayPainter::paint(QPainter& painter, const TimelineMarks& marks) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (marks.selection) paintSelection(painter, *marks.selection);
  const std::optional<SpanRef> shown = marks.hovered ? marks.hovered : marks.current;
  if (marks.current) paintFrame(painter, *marks.current, m_palette.accent);
  if (shown) {
    for (const Arrow& arrow : marks.arrows) paintArrow(painter, arrow);
    if (shown != marks.current) paintFrame(painter, *shown, m_palette.text);
    paintFacts(painter, *shown, marks);
  }
  painter.restore();
}

QRectF OverlayPainter::rectOf(SpanRef ref) const {
  const RowBox* box = m_layout.boxOf(ref.row);
  const TimeRange seen = intersection(m_data.span(ref).range(), m_scale.range);
  if (!box || seen.empty()) return {};
  const double x0 = std::round(m_scale.x(seen.start)), x1 = std::max(std::round(m_scale.x(seen.end)), x0 + 2);
  const QRectF sight = m_layout.sightOf(*box);
  const double top = std::max(box->rect.top(), sight.top()), bottom = std::min(box->rect.bottom(), sight.bottom());
  return QRectF(x0, top, x1 - x0, std::max(bottom - top, 0.0));
}

void OverlayPainter::paintSelection(QPainter& painter, TimeRange selection) const {
  const TimeRange seen = intersection(selection, m_scale.range);
  if (seen.empty() || m_layout.lanes.empty()) return;
  const double x0 = std::round(m_scale.x(seen.start)), x1 = std::max(std::round(m_scale.x(seen.end)), x0 + 1);
  const double bottom = std::min(m_layout.lanes.back().rect.bottom(), m_layout.body.bottom());
  QColor veil = m_palette.accent;
  veil.setAlphaF(0.18F);
  painter.fillRect(QRectF(x0, m_layout.steps.top(), x1 - x0, bottom - m_layout.steps.top()), veil);
  painter.setPen(QPen(m_palette.accent, 1));
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.drawLine(QPointF(x0, m_layout.steps.top()), QPointF(x0, bottom));
  painter.drawLine(QPointF(x1, m_layout.steps.top()), QPointF(x1, bottom));
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetricsF metrics(look::smallFont());
  const QString text = durationText(selection.length());
  const double width = metrics.horizontalAdvance(text) + 2 * look::kGrid;
  const double left = std::clamp((x0 + x1 - width) / 2, m_layout.body.left(),
                                 std::max(m_layout.body.left(), m_layout.area.right() - width));
  const QRectF chip(left, m_layout.steps.top() + 1, width, m_layout.steps.height() - 2);
  painter.setPen(Qt::NoPen);
  painter.setBrush(m_palette.accent);
  painter.drawRoundedRect(chip, 3, 3);
  painter.setPen(look::inkOn(m_palette.accent));
  painter.setFont(look::smallFont());
  painter.drawText(chip, Qt::AlignCenter, text);
}

void OverlayPainter::paintFrame(QPainter& painter, SpanRef ref, const QColor& color) const {
  const QRectF rect = rectOf(ref);
  if (rect.isEmpty()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(m_palette.surface, 4));
  painter.drawRect(rect.adjusted(-1, -1, 1, 1));
  painter.setPen(QPen(color, 2));
  painter.drawRect(rect.adjusted(-1, -1, 1, 1));
}

/// The row's own place, or while that is hidden its lane's first one.
const RowBox* OverlayPainter::nearestBoxOf(std::size_t row) const {
  if (const RowBox* box = m_layout.boxOf(row)) return box;
  const auto found = std::find_if(m_layout.rows.begin(), m_layout.rows.end(), [&](const RowBox& box) {
    return m_data.rows()[box.row].lane == m_data.rows()[row].lane;
  });
  return found == m_layout.rows.end() ? nullptr : &*found;
}

/// From the end of what was waited on to the start of what waited; a launch call goes on while its kernel runs, so from
/// its start then.
void OverlayPainter::paintArrow(QPainter& painter, const Arrow& arrow) const {
  const RowBox* from_box = nearestBoxOf(arrow.from.row);
  const RowBox* to_box = nearestBoxOf(arrow.to.row);
  const Nanoseconds taken = m_data.span(arrow.to).start;
  const Nanoseconds given = std::min(m_data.span(arrow.from).end, std::max(taken, m_data.span(arrow.from).start));
  if (!from_box || !to_box || std::max(taken, given) < m_scale.range.start ||
      std::min(taken, given) > m_scale.range.end)
    return;
  const double left = m_layout.body.left() - kBeyond, right = m_layout.body.right() + kBeyond;
  const QPointF from(std::clamp(m_scale.x(given), left, right), from_box->rect.center().y());
  const QPointF to(std::clamp(m_scale.x(taken), left, right), to_box->rect.center().y());
  painter.save();
  painter.setClipRect(m_layout.body, Qt::IntersectClip);
  QPainterPath path(from);
  const double bend = std::max((to.x() - from.x()) / 2, 2.0 * look::kGrid);
  path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(m_palette.surface, 4));
  painter.drawPath(path);
  painter.setPen(QPen(m_palette.text, 1.5));
  painter.drawPath(path);
  painter.setBrush(m_palette.text);
  painter.drawEllipse(from, 2.5, 2.5);
  painter.drawPolygon(QPolygonF({to, to + QPointF(-6, -3.5), to + QPointF(-6, 3.5)}));
  painter.restore();
}

void OverlayPainter::paintFacts(QPainter& painter, SpanRef ref, const TimelineMarks& marks) const {
  const QRectF span = rectOf(ref);
  if (span.isEmpty()) return;
  QFont bold = look::textFont();
  bold.setBold(true);
  const QFontMetricsF bold_metrics(bold), metrics(look::smallFont());
  const QString title = spanTitle(m_data, ref);
  auto facts = spanFacts(m_data, ref);
  if (m_data.trace().failed(m_data.span(ref))) {
    QString name = TimelineTexts::tr("Error");
    for (const QString& line : wrapped(marks.failure, kErrorWidth))
      facts.emplace_back(std::exchange(name, QString()), line);
  }
  double names = 0, values = 0;
  for (const auto& [name, value] : facts) {
    names = std::max(names, metrics.horizontalAdvance(name));
    values = std::max(values, metrics.horizontalAdvance(value));
  }
  const double line = std::ceil(metrics.height() + 2);
  const QSizeF size(
      std::ceil(std::max(bold_metrics.horizontalAdvance(title), names + kColumnGap + values) + 2 * kBoxPadding),
      std::ceil(bold_metrics.height() + look::kGrid + line * static_cast<double>(facts.size()) + 2 * kBoxPadding));
  const QPointF anchor = marks.hovered && marks.pointer ? *marks.pointer : QPointF(span.center().x(), span.bottom());
  const QRectF box = placedBeside(anchor, size, m_layout.area.adjusted(2, 2, -2, -2));
  painter.setPen(QPen(m_palette.line, 1));
  painter.setBrush(m_palette.surface);
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  double y = box.top() + kBoxPadding + bold_metrics.ascent();
  const double x = box.left() + kBoxPadding;
  painter.setPen(m_palette.text);
  painter.setFont(bold);
  painter.drawText(QPointF(x, y), title);
  y += bold_metrics.descent() + look::kGrid + metrics.ascent() + 1;
  painter.setFont(look::smallFont());
  for (const auto& [name, value] : facts) {
    painter.setPen(m_palette.muted_text);
    painter.drawText(QPointF(x, y), name);
    painter.setPen(m_palette.text);
    painter.drawText(QPointF(x + names + kColumnGap, y), value);
    y += line;
  }
}

}  // namespace lanelab
