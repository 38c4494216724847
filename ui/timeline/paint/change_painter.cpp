// SPDX-License-Identifier: GPL-3.0-only
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/timeline/model/changed_timeline.h"
#include "ui/timeline/paint/layers.h"

namespace lanelab {
namespace {

constexpr double kCardPadding = 2.5 * look::kGrid;
constexpr double kFromPointer = 4 * look::kGrid;
constexpr std::size_t kMostEnds = 12;     ///< steps in sight whose measured ends are drawn
constexpr double kNarrowestOutlined = 3;  ///< pixels

QRectF outlineOf(const TimelineScene& scene, SpanRef ref) {
  const RowBox* const box = scene.layout.boxOf(ref.row);
  const TimeRange seen = intersection(scene.data.span(ref).range(), scene.scale.range);
  if (!box || seen.empty() || !scene.isSeen(box->rect)) return {};
  const double x0 = std::round(scene.scale.x(seen.start)), x1 = std::round(scene.scale.x(seen.end));
  if (x1 - x0 < kNarrowestOutlined) return {};
  return QRectF(x0 + 0.5, std::round(box->rect.top()) + 0.5, x1 - x0 - 1, std::round(box->rect.height()) - 1);
}

void paintGhost(QPainter& painter, const TimelineScene& measured, SpanRef ref) {
  const QRectF place = outlineOf(measured, ref);
  if (place.isEmpty()) return;
  painter.setPen(QPen(measured.palette.surface, 3));
  painter.drawRect(place);
  painter.setPen(QPen(measured.palette.text, 1, Qt::DashLine));
  painter.drawRect(place);
}

void paintOutline(QPainter& painter, const TimelineScene& now, SpanRef ref) {
  const QRectF place = outlineOf(now, ref);
  if (place.isEmpty()) return;
  painter.setPen(QPen(now.palette.accent, 2));
  painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5));
}

void paintMeasuredEnds(QPainter& painter, const TimelineScene& measured, const ChangedTimeline& changed) {
  std::vector<Nanoseconds> ends;
  const auto& after = changed.data().steps();
  const auto& before = measured.data.steps();
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    const Nanoseconds end = before[i].range.end;
    if (end != after[i].range.end && measured.scale.range.start <= end && end <= measured.scale.range.end)
      ends.push_back(end);
  }
  if (ends.size() > kMostEnds || measured.layout.lanes.empty()) return;
  const double bottom = std::min(measured.layout.lanes.back().rect.bottom(), measured.layout.body.bottom());
  painter.setPen(QPen(measured.palette.muted_text, 1, Qt::DashLine));
  for (const Nanoseconds end : ends) {
    const double x = std::round(measured.scale.x(end)) + 0.5;
    painter.drawLine(QPointF(x, measured.layout.body.top()), QPointF(x, bottom));
  }
}

}  // namespace

void paintChanges(QPainter& painter, const TimelineScene& measured, const TimelineScene& now,
                  const ChangedTimeline& changed) {
  const look::PainterScope scope(painter, /*antialiased=*/false);
  painter.setBrush(Qt::NoBrush);
  paintMeasuredEnds(painter, measured, changed);
  for (const SpanRef ref : changed.changed()) paintGhost(painter, measured, ref);
  for (const SpanRef ref : changed.changed())
    if (const auto place = changed.now(ref)) paintOutline(painter, now, *place);
}

void paintChangeCard(QPainter& painter, const TimelineLayout& layout, QPointF pointer, const QStringList& lines) {
  const QFont bold = look::bold(look::textFont());
  const QFontMetricsF title(bold), text(look::smallFont());
  double width = title.horizontalAdvance(lines.front());
  for (const QString& line : lines.mid(1)) width = std::max(width, text.horizontalAdvance(line));
  const double step = std::ceil(text.height() + 2);
  const QSizeF size(std::ceil(width + 2 * kCardPadding),
                    std::ceil(title.height() + step * static_cast<double>(lines.size() - 1) + 2 * kCardPadding));
  const QRectF area = layout.area.adjusted(2, 2, -2, -2);
  const bool below = pointer.y() + kFromPointer + size.height() <= area.bottom();
  const double top =
      below ? pointer.y() + kFromPointer : std::max(area.top(), pointer.y() - kFromPointer - size.height());
  const double left =
      std::clamp(pointer.x() + kFromPointer, area.left(), std::max(area.left(), area.right() - size.width()));
  const QRectF card(QPointF(std::round(left), std::round(top)), size);
  const look::Palette& palette = look::current();
  const look::PainterScope scope(painter, /*antialiased=*/true);
  painter.setPen(QPen(palette.accent, 1));
  painter.setBrush(palette.surface);
  painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  double y = card.top() + kCardPadding + title.ascent();
  painter.setPen(palette.text);
  painter.setFont(bold);
  painter.drawText(QPointF(card.left() + kCardPadding, y), lines.front());
  painter.setFont(look::smallFont());
  y += title.descent() + text.ascent() + 1;
  for (const QString& line : lines.mid(1)) {
    painter.drawText(QPointF(card.left() + kCardPadding, y), line);
    y += step;
  }
}

}  // namespace lanelab
