// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/header_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/timeline/layout/header_marks.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"
#include "ui/timeline/paint/replica_band_painter.h"

namespace lanelab {
namespace {

constexpr double kTwoLineLane = 38;
constexpr double kCurrentBar = 3;

}  // namespace

HeaderPainter::HeaderPainter(const TimelineData& data, const TimelineLayout& layout, const look::Palette& palette)
    : m_data(data), m_layout(layout), m_palette(palette), m_font(look::smallFont()) {}

void HeaderPainter::paint(QPainter& painter, const HeaderMarks& marks) const {
  ReplicaBandPainter(m_data, m_layout, m_palette).paintHeaders(painter, marks.clickable);
  for (const LaneBox& lane : m_layout.lanes) {
    if (lane.lane >= 0 && isSeen(lane.rect)) paintLane(painter, lane, marks);
  }
  paintRowNames(painter);
  paintCounterNames(painter, marks.time);
  if (!marks.drop_line) return;
  painter.fillRect(QRectF(m_layout.headers.left(), *marks.drop_line - 1, m_layout.headers.width(), 2),
                   m_palette.accent);
}

void HeaderPainter::paintLane(QPainter& painter, const LaneBox& lane, const HeaderMarks& marks) const {
  const auto index = static_cast<std::size_t>(lane.lane);
  paintName(painter, lane, index < marks.selected.size() ? std::optional(marks.selected[index]) : std::nullopt);
  paintMarks(painter, lane, marks);
}

/// Name and busy share; below them, where there is room, device and what the share is of. In one line the selection's
/// share takes the place.
void HeaderPainter::paintName(QPainter& painter, const LaneBox& lane, std::optional<double> selected) const {
  const QString device = m_data.laneDevice(lane.lane);
  const auto share = m_data.computes() ? m_data.busyShare(lane.lane) : std::nullopt;
  const bool two_lines = lane.title.height() >= kTwoLineLane;
  const double middle = lane.title.top() + std::min(lane.title.height() / 2, kTwoLineLane * 0.6);
  const HeaderLine first{middle + (two_lines ? -1 : 5), look::textFont(), m_palette.text};
  const QString busy = share ? shareText(*share) : QString();
  const QString marked = selected && m_data.computes() ? shareText(*selected) : QString();
  const QString name = m_data.laneName(lane.lane);
  if (!two_lines) return paintLine(painter, first, name, marked.isEmpty() ? busy : marked, !marked.isEmpty());
  paintLine(painter, first, name, busy, false);
  const HeaderLine second{middle + 14, m_font, m_palette.muted_text};
  const QString note = !marked.isEmpty() ? TimelineTexts::tr("selected %1").arg(marked)
                       : busy.isEmpty()  ? QString()
                                         : TimelineTexts::tr("busy");
  paintLine(painter, second, device, note, !marked.isEmpty());
}

/// The current lane's bar, the triangle that collapses and the pin; a pin that is not set shows only under the pointer.
void HeaderPainter::paintMarks(QPainter& painter, const LaneBox& lane, const HeaderMarks& marks) const {
  const bool hovered = marks.hovered_lane == lane.lane;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  if (marks.current_lane == lane.lane)
    painter.fillRect(QRectF(lane.rect.left(), lane.rect.top() + 2, kCurrentBar, lane.rect.height() - 4),
                     m_palette.accent);
  const double middle = lane.title.top() + std::min(lane.title.height() / 2, kTwoLineLane * 0.6) -
                        (lane.title.height() >= kTwoLineLane ? 6 : 0);
  if (marks.clickable || lane.collapsed) {
    painter.setBrush(hovered ? m_palette.text : m_palette.muted_text);
    paintTriangle(painter, QPointF(triangleOf(lane).center().x() + 1, middle), lane.collapsed);
  }
  if (lane.pinned || (hovered && marks.clickable)) {
    painter.setBrush(lane.pinned ? m_palette.accent : look::mix(m_palette.muted_text, m_palette.surface, 0.4));
    paintPin(painter, QPointF(pinOf(lane).center().x(), middle));
  }
  painter.restore();
}

/// Each beside its row, where it does not run into the lane's own name or the name above.
void HeaderPainter::paintRowNames(QPainter& painter) const {
  const QFontMetricsF metrics(m_font);
  const double height = metrics.capHeight() + 4;
  auto lane = m_layout.lanes.begin();
  double free_from = m_layout.area.top();
  for (const RowBox& box : m_layout.rows) {
    while (lane != m_layout.lanes.end() && lane->rect.bottom() < box.rect.center().y()) ++lane;
    if (lane == m_layout.lanes.end()) return;
    if (lane->collapsed || !isSeen(box.rect)) continue;
    const double middle = box.rect.center().y();
    const double title_bottom = lane->title.top() + std::min(lane->title.height(), lane->title.height() >= kTwoLineLane
                                                                                       ? kTwoLineLane + 2
                                                                                       : lane->title.height() - 4);
    free_from = std::max(free_from, title_bottom);
    if (middle - height / 2 < free_from) continue;
    const QString name = m_data.rowName(box.row);
    if (name.isEmpty()) continue;
    paintLine(painter, {middle + metrics.capHeight() / 2, m_font, m_palette.muted_text}, name, {}, false);
    free_from = middle + height / 2;
  }
}

void HeaderPainter::paintCounterNames(QPainter& painter, std::optional<Nanoseconds> time) const {
  const QFontMetricsF metrics(m_font);
  for (const CounterBox& box : m_layout.counters) {
    if (!isSeen(box.rect)) continue;
    const CounterRow& counter = m_data.counters()[box.counter];
    const auto value = time ? counter.at(*time) : std::nullopt;
    const double baseline = box.rect.center().y() + metrics.capHeight() / 2;
    paintLine(painter, {baseline, m_font, m_palette.muted_text}, counter.name(),
              value ? counter.text(*value) : QString(), value.has_value());
  }
}

void HeaderPainter::paintLine(QPainter& painter, const HeaderLine& line, const QString& left_text,
                              const QString& right_text, bool accent) const {
  const QRectF room = m_layout.headers.adjusted(kHeaderMargin, 0, -kHeaderMargin, 0);
  QFont left_font = line.font;
  left_font.setBold(line.color == m_palette.text);
  const double right_width = QFontMetricsF(line.font).horizontalAdvance(right_text);
  painter.setPen(line.color);
  painter.setFont(left_font);
  const double left_room = room.width() - (right_text.isEmpty() ? 0 : right_width + 2 * look::kGrid);
  painter.drawText(QPointF(room.left(), line.baseline),
                   QFontMetricsF(left_font).elidedText(left_text, Qt::ElideRight, left_room));
  painter.setFont(line.font);
  if (accent) painter.setPen(m_palette.accent);
  painter.drawText(QPointF(room.right() - right_width, line.baseline), right_text);
}

}  // namespace lanelab
