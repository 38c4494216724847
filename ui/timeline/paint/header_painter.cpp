// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <QFontMetricsF>
#include <algorithm>

#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

/// Left of the names, where triangles stand, and right of the shares, where pins do.
constexpr double kHeaderMargin = 4 * look::kGrid;
constexpr double kTwoLineLane = 38;
constexpr double kCurrentBar = 3;
constexpr double kLeastNamed = 1.5 * look::kGrid;  ///< a row of tight lanes has no room for its name

/// In the painter's brush; it points right where what it stands for is collapsed.
void paintTriangle(QPainter& painter, QPointF at, bool collapsed) {
  const QPolygonF down({at + QPointF(-4, -2.5), at + QPointF(4, -2.5), at + QPointF(0, 2.5)});
  const QPolygonF right({at + QPointF(-2.5, -3.5), at + QPointF(-2.5, 3.5), at + QPointF(2.5, 0)});
  painter.drawPolygon(collapsed ? right : down);
}

/// A drawing pin from the side.
void paintPin(QPainter& painter, QPointF at) {
  painter.drawRect(QRectF(at.x() - 3, at.y() - 5, 6, 1.5));
  painter.drawRect(QRectF(at.x() - 2, at.y() - 4, 4, 4));
  painter.drawRect(QRectF(at.x() - 4, at.y(), 8, 1.5));
  painter.drawRect(QRectF(at.x() - 0.5, at.y() + 1.5, 1, 4));
}

struct HeaderLine {
  double baseline;
  QFont font;
  QColor color;
};

void paintLine(QPainter& painter, const TimelineScene& scene, const HeaderLine& line, const QString& left_text,
               const QString& right_text, bool accent) {
  if (!scene.showsLine(line.baseline - QFontMetricsF(line.font).capHeight() / 2)) return;
  const QRectF room = scene.layout.headers.adjusted(kHeaderMargin, 0, -kHeaderMargin, 0);
  QFont left_font = line.font;
  left_font.setBold(line.color == scene.palette.text);
  const double right_width = QFontMetricsF(line.font).horizontalAdvance(right_text);
  painter.setPen(line.color);
  painter.setFont(left_font);
  const double left_room = room.width() - (right_text.isEmpty() ? 0 : right_width + 2 * look::kGrid);
  painter.drawText(QPointF(room.left(), line.baseline),
                   QFontMetricsF(left_font).elidedText(left_text, Qt::ElideRight, left_room));
  painter.setFont(line.font);
  if (accent) painter.setPen(scene.palette.accent);
  painter.drawText(QPointF(room.right() - right_width, line.baseline), right_text);
}

/// Name and utilization; below them, if there is room, device and what the share is of. In one line the selection's
/// share takes the place.
void paintName(QPainter& painter, const TimelineScene& scene, const LaneBox& lane, std::optional<double> selected) {
  const QString device = scene.data.laneDevice(lane.lane);
  const auto share = scene.data.computes() ? scene.data.busyShare(lane.lane) : std::nullopt;
  const bool two_lines = lane.title.height() >= kTwoLineLane;
  const double middle = lane.title.top() + std::min(lane.title.height() / 2, kTwoLineLane * 0.6);
  const HeaderLine first{middle + (two_lines ? -1 : 5), look::textFont(), scene.palette.text};
  const QString busy = share ? shareText(*share) : QString();
  const QString marked = selected && scene.data.computes() ? shareText(*selected) : QString();
  const QString name = scene.data.laneName(lane.lane);
  if (!two_lines) return paintLine(painter, scene, first, name, marked.isEmpty() ? busy : marked, !marked.isEmpty());
  paintLine(painter, scene, first, name, busy, false);
  const HeaderLine second{middle + 14, look::smallFont(), scene.palette.muted_text};
  const QString note = !marked.isEmpty() ? TimelineTexts::tr("selected %1").arg(marked)
                       : busy.isEmpty()  ? QString()
                                         : TimelineTexts::tr("busy");
  paintLine(painter, scene, second, device, note, !marked.isEmpty());
}

/// The current lane's bar, the triangle that collapses and the pin; a pin that is not set shows only under the pointer.
void paintLaneMarks(QPainter& painter, const TimelineScene& scene, const LaneBox& lane, const HeaderMarks& marks) {
  const bool hovered = marks.hovered_lane == lane.lane;
  const look::PainterScope scope(painter, /*antialiased=*/true);
  painter.setPen(Qt::NoPen);
  if (marks.current_lane == lane.lane)
    painter.fillRect(QRectF(lane.rect.left(), lane.rect.top() + 2, kCurrentBar, lane.rect.height() - 4),
                     scene.palette.accent);
  const double middle = lane.title.top() + std::min(lane.title.height() / 2, kTwoLineLane * 0.6) -
                        (lane.title.height() >= kTwoLineLane ? 6 : 0);
  if (marks.clickable || lane.collapsed) {
    painter.setBrush(hovered ? scene.palette.text : scene.palette.muted_text);
    paintTriangle(painter, QPointF(triangleOf(lane).center().x() + 1, middle), lane.collapsed);
  }
  if (lane.pinned || (hovered && marks.clickable)) {
    painter.setBrush(lane.pinned ? scene.palette.accent : scene.palette.pale(scene.palette.muted_text, 0.4));
    paintPin(painter, QPointF(pinOf(lane).center().x(), middle));
  }
}

void paintLaneHeader(QPainter& painter, const TimelineScene& scene, const LaneBox& lane, const HeaderMarks& marks) {
  const auto index = static_cast<std::size_t>(lane.lane);
  paintName(painter, scene, lane, index < marks.selected.size() ? std::optional(marks.selected[index]) : std::nullopt);
  paintLaneMarks(painter, scene, lane, marks);
}

/// Each beside its row, where it does not run into the lane's own name or the name above.
void paintRowNames(QPainter& painter, const TimelineScene& scene) {
  const QFont font = look::smallFont();
  const QFontMetricsF metrics(font);
  const double height = metrics.capHeight() + 4;
  auto lane = scene.layout.lanes.begin();
  double free_from = scene.layout.area.top();
  for (const RowBox& box : scene.layout.rows) {
    while (lane != scene.layout.lanes.end() && lane->rect.bottom() < box.rect.center().y()) ++lane;
    if (lane == scene.layout.lanes.end()) return;
    if (lane->collapsed || box.rect.height() < kLeastNamed || !scene.isSeen(box.rect)) continue;
    const double middle = box.rect.center().y();
    const double title_bottom = lane->title.top() + std::min(lane->title.height(), lane->title.height() >= kTwoLineLane
                                                                                       ? kTwoLineLane + 2
                                                                                       : lane->title.height() - 4);
    free_from = std::max(free_from, title_bottom);
    if (middle - height / 2 < free_from) continue;
    const QString name = scene.data.rowName(box.row);
    if (name.isEmpty()) continue;
    paintLine(painter, scene, {middle + metrics.capHeight() / 2, font, scene.palette.muted_text}, name, {}, false);
    free_from = middle + height / 2;
  }
}

void paintPredictedNames(QPainter& painter, const TimelineScene& scene) {
  const QFont font = look::smallFont();
  const QFontMetricsF metrics(font);
  for (const PredictedBox& box : scene.layout.predicted) {
    const LaneBox* const lane = scene.layout.boxOfLane(box.lane);
    const double top = box.rect.center().y() - metrics.capHeight() / 2 - 2;
    if (!scene.isSeen(box.rect) || !lane ||
        top < lane->title.top() + std::min(lane->title.height() - 4, kTwoLineLane + 2))
      continue;
    paintLine(painter, scene, {box.rect.center().y() + metrics.capHeight() / 2, font, scene.palette.muted_text},
              TimelineTexts::tr("predicted"), {}, false);
  }
}

void paintCounterNames(QPainter& painter, const TimelineScene& scene, std::optional<Nanoseconds> time) {
  const QFont font = look::smallFont();
  const QFontMetricsF metrics(font);
  for (const CounterBox& box : scene.layout.counters) {
    if (!scene.isSeen(box.rect)) continue;
    const CounterRow& counter = scene.data.counters()[box.counter];
    const auto value = time ? counter.at(*time) : std::nullopt;
    const double baseline = box.rect.center().y() + metrics.capHeight() / 2;
    paintLine(painter, scene, {baseline, font, scene.palette.muted_text}, counter.name(),
              value ? counter.text(*value) : QString(), value.has_value());
  }
}

QString shareOf(const TimelineData& data, const ReplicaBand& band) {
  double sum = 0;
  for (const int lane : band.lanes) {
    const auto share = data.busyShare(lane);
    if (!share) return {};
    sum += *share;
  }
  return band.lanes.size() < 2 ? QString() : shareText(sum / static_cast<double>(band.lanes.size()));
}

/// Name, the mean utilization of its lanes, and with `clickable` the triangle that collapses them all.
void paintReplica(QPainter& painter, const TimelineScene& scene, const ReplicaBand& band, bool clickable) {
  const QRectF head(scene.layout.headers.left(), band.rect.top(), scene.layout.headers.width(), band.rect.height());
  painter.fillRect(head, replicaTint(scene.palette));
  const QFont bold = look::bold(look::smallFont());
  const double baseline = head.center().y() + QFontMetricsF(bold).capHeight() / 2;
  painter.setPen(scene.palette.text);
  painter.setFont(bold);
  painter.drawText(QPointF(head.left() + kHeaderMargin, baseline), replicaName(band.replica));
  painter.setFont(look::smallFont());
  painter.setPen(scene.palette.muted_text);
  const QString share = shareOf(scene.data, band);
  const double width = QFontMetricsF(look::smallFont()).horizontalAdvance(share);
  painter.drawText(QPointF(head.right() - kHeaderMargin - width, baseline), share);
  if (!clickable && !band.collapsed) return;
  const look::PainterScope scope(painter, /*antialiased=*/true);
  painter.setPen(Qt::NoPen);
  painter.setBrush(scene.palette.muted_text);
  paintTriangle(painter, QPointF(head.left() + kHeaderMargin / 2 + 1, head.center().y()), band.collapsed);
}

}  // namespace

QColor replicaTint(const look::Palette& palette) { return look::mix(palette.surface, palette.text, 0.08); }

void paintHeaders(QPainter& painter, const TimelineScene& scene, const HeaderMarks& marks) {
  for (const ReplicaBand& band : scene.layout.bands)
    if (scene.isSeen(band.rect)) paintReplica(painter, scene, band, marks.clickable);
  for (const LaneBox& lane : scene.layout.lanes)
    if (lane.lane >= 0 && scene.isSeen(lane.rect)) paintLaneHeader(painter, scene, lane, marks);
  paintRowNames(painter, scene);
  paintPredictedNames(painter, scene);
  paintCounterNames(painter, scene, marks.time);
  if (!marks.drop_line) return;
  const QRectF& headers = scene.layout.headers;
  painter.fillRect(QRectF(headers.left(), *marks.drop_line - 1, headers.width(), 2), scene.palette.accent);
}

}  // namespace lanelab
