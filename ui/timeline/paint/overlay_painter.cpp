// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ui/timeline/layout/gap_details.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kBoxPadding = 2.5 * look::kGrid;
constexpr double kColumnGap = 3 * look::kGrid;
constexpr qsizetype kSentenceWidth = 64;  // letters a line
constexpr double kBoxGap = 2 * look::kGrid;
constexpr double kSpanWeight = 30;  // of a hidden pixel, against one of what the facts are about
constexpr double kBeyond = 40;      // pixels outside the body where an arrow from afar begins

/// The visible part of a time in a row; empty when it is out of sight.
QRectF rectOf(const TimelineScene& scene, std::size_t row, TimeRange range) {
  const RowBox* box = scene.layout.boxOf(row);
  const TimeRange seen = intersection(range, scene.scale.range);
  if (!box || seen.empty()) return {};
  const double x0 = std::round(scene.scale.x(seen.start)), x1 = std::max(std::round(scene.scale.x(seen.end)), x0 + 2);
  const QRectF sight = scene.layout.sightOf(*box);
  const double top = std::max(box->rect.top(), sight.top()), bottom = std::min(box->rect.bottom(), sight.bottom());
  return QRectF(x0, top, x1 - x0, std::max(bottom - top, 0.0));
}

QRectF rectOf(const TimelineScene& scene, SpanRef ref) { return rectOf(scene, ref.row, scene.data.span(ref).range()); }

QRectF rectOf(const TimelineScene& scene, const LaneGap& gap) { return rectOf(scene, gap.row, gap.range); }

void paintSelection(QPainter& painter, const TimelineScene& scene, TimeRange selection) {
  const TimeRange seen = intersection(selection, scene.scale.range);
  if (seen.empty() || scene.layout.lanes.empty()) return;
  const double x0 = std::round(scene.scale.x(seen.start)), x1 = std::max(std::round(scene.scale.x(seen.end)), x0 + 1);
  const double bottom = std::min(scene.layout.lanes.back().rect.bottom(), scene.layout.body.bottom());
  QColor veil = scene.palette.accent;
  veil.setAlphaF(0.18F);
  painter.fillRect(QRectF(x0, scene.layout.steps.top(), x1 - x0, bottom - scene.layout.steps.top()), veil);
  painter.setPen(QPen(scene.palette.accent, 1));
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.drawLine(QPointF(x0, scene.layout.steps.top()), QPointF(x0, bottom));
  painter.drawLine(QPointF(x1, scene.layout.steps.top()), QPointF(x1, bottom));
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetricsF metrics(look::smallFont());
  const QString text = durationText(selection.length());
  const double width = metrics.horizontalAdvance(text) + 2 * look::kGrid;
  const double left = std::clamp((x0 + x1 - width) / 2, scene.layout.body.left(),
                                 std::max(scene.layout.body.left(), scene.layout.area.right() - width));
  const QRectF chip(left, scene.layout.steps.top() + 1, width, scene.layout.steps.height() - 2);
  painter.setPen(Qt::NoPen);
  painter.setBrush(scene.palette.accent);
  painter.drawRoundedRect(chip, 3, 3);
  painter.setPen(look::inkOn(scene.palette.accent));
  painter.setFont(look::smallFont());
  painter.drawText(chip, Qt::AlignCenter, text);
}

void paintFrameAround(QPainter& painter, const TimelineScene& scene, const QRectF& rect, const QColor& color) {
  if (rect.isEmpty()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(scene.palette.surface, 4));
  painter.drawRect(rect.adjusted(-1, -1, 1, 1));
  painter.setPen(QPen(color, 2));
  painter.drawRect(rect.adjusted(-1, -1, 1, 1));
}

/// From the end of what was waited on to the start of what waited; a launch call continues while its kernel runs, so
/// from its start then.
void paintArrow(QPainter& painter, const TimelineScene& scene, const Arrow& arrow) {
  const RowBox* from_box = scene.shownBoxOf(arrow.from.row);
  const RowBox* to_box = scene.shownBoxOf(arrow.to.row);
  const Nanoseconds taken = scene.data.span(arrow.to).start;
  const Nanoseconds given =
      std::min(scene.data.span(arrow.from).end, std::max(taken, scene.data.span(arrow.from).start));
  if (!from_box || !to_box || std::max(taken, given) < scene.scale.range.start ||
      std::min(taken, given) > scene.scale.range.end)
    return;
  const double left = scene.layout.body.left() - kBeyond, right = scene.layout.body.right() + kBeyond;
  const QPointF from(std::clamp(scene.scale.x(given), left, right), from_box->rect.center().y());
  const QPointF to(std::clamp(scene.scale.x(taken), left, right), to_box->rect.center().y());
  const look::PainterScope scope(painter, /*antialiased=*/true);
  painter.setClipRect(scene.layout.body, Qt::IntersectClip);
  QPainterPath path(from);
  const double bend = std::max((to.x() - from.x()) / 2, 2.0 * look::kGrid);
  path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(scene.palette.surface, 4));
  painter.drawPath(path);
  painter.setPen(QPen(scene.palette.text, 1.5));
  painter.drawPath(path);
  painter.setBrush(scene.palette.text);
  painter.drawEllipse(from, 2.5, 2.5);
  painter.drawPolygon(QPolygonF({to, to + QPointF(-6, -3.5), to + QPointF(-6, 3.5)}));
}

/// What a box says, what it is about, and what its facts explain besides.
struct FactsBox {
  QString title;
  DetailRows facts;
  int lane = 0;
  QRectF about;
  std::vector<QRectF> explained;
};

/// What the box leaves free where it can: all rows of the lane, with what follows the span.
QRectF laneOf(const TimelineScene& scene, const FactsBox& box) {
  const LaneBox* const lane = scene.layout.boxOfLane(box.lane);
  return lane ? lane->rect : box.about;
}

double hiddenBy(const QRectF& box, const QRectF& rect) {
  const QRectF hidden = box & rect;
  return hidden.width() * hidden.height();
}

/// What its actions' row shows between the span before and this one.
QRectF idleBefore(const TimelineScene& scene, SpanRef ref, const QRectF& span) {
  if (ref.position == 0) return {};
  const Nanoseconds end = scene.data.span({ref.row, ref.position - 1}).end;
  const double from = std::max(scene.scale.x(end), scene.layout.body.left());
  return from < span.left() ? QRectF(from, span.top(), span.left() - from, span.height()) : QRectF();
}

/// What the arrows connect, but for what the box is about.
std::vector<QRectF> connectedBy(const TimelineScene& scene, const QRectF& about, const std::vector<Arrow>& arrows) {
  std::vector<QRectF> connected;
  for (const Arrow& arrow : arrows) {
    connected.push_back(rectOf(scene, arrow.from));
    connected.push_back(rectOf(scene, arrow.to));
  }
  std::erase_if(connected, [&](const QRectF& rect) { return rect.isEmpty() || rect == about; });
  return connected;
}

/// A sentence in lines below each other.
void addWrapped(DetailRows& facts, QString name, const QString& sentence) {
  for (const QString& line : wrapped(sentence, kSentenceWidth))
    facts.emplace_back(std::exchange(name, QString()), line);
}

FactsBox factsOf(const TimelineScene& scene, SpanRef ref, const TimelineMarks& marks) {
  FactsBox box{
      spanTitle(scene.data, ref), spanFacts(scene.data, ref), scene.data.rows()[ref.row].lane, rectOf(scene, ref), {}};
  if (scene.data.trace().failed(scene.data.span(ref))) addWrapped(box.facts, TimelineTexts::tr("Error"), marks.failure);
  box.explained = connectedBy(scene, box.about, marks.arrows);
  if (const QRectF idle = idleBefore(scene, ref, box.about); !idle.isEmpty()) box.explained.push_back(idle);
  return box;
}

FactsBox factsOf(const TimelineScene& scene, const LaneGap& gap, const TimelineMarks& marks) {
  FactsBox box{gapTitle(scene.data, gap), {}, gap.lane, rectOf(scene, gap), {}};
  for (const auto& [name, value] : gapFacts(scene.data, gap)) addWrapped(box.facts, name, value);
  box.explained = connectedBy(scene, box.about, marks.arrows);
  return box;
}

/// Below the ruler where the box has room there.
QRectF roomForFacts(const TimelineLayout& layout, double height) {
  QRectF area = layout.area.adjusted(2, 2, -2, -2);
  if (area.bottom() - layout.body.top() >= height) area.setTop(layout.body.top());
  return area;
}

void paintFacts(QPainter& painter, const TimelineScene& scene, const FactsBox& said, const TimelineMarks& marks) {
  if (said.about.isEmpty()) return;
  const QFont bold = look::bold(look::textFont());
  const QFontMetricsF bold_metrics(bold), metrics(look::smallFont());
  const auto& [title, facts, lane, about, explained] = said;
  double names = 0, values = 0;
  for (const auto& [name, value] : facts) {
    names = std::max(names, metrics.horizontalAdvance(name));
    values = std::max(values, metrics.horizontalAdvance(value));
  }
  const double line = std::ceil(metrics.height() + 2);
  const QSizeF size(
      std::ceil(std::max(bold_metrics.horizontalAdvance(title), names + kColumnGap + values) + 2 * kBoxPadding),
      std::ceil(bold_metrics.height() + look::kGrid + line * static_cast<double>(facts.size()) + 2 * kBoxPadding));
  const bool hovers = marks.hovered || marks.hovered_gap;
  const double x = hovers && marks.pointer ? marks.pointer->x() : about.center().x();
  const QRectF box =
      placedClear(laneOf(scene, said), about, x, size, roomForFacts(scene.layout, size.height()), explained);
  painter.setPen(QPen(scene.palette.line, 1));
  painter.setBrush(scene.palette.surface);
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  double y = box.top() + kBoxPadding + bold_metrics.ascent();
  const double left = box.left() + kBoxPadding;
  painter.setPen(scene.palette.text);
  painter.setFont(bold);
  painter.drawText(QPointF(left, y), title);
  y += bold_metrics.descent() + look::kGrid + metrics.ascent() + 1;
  painter.setFont(look::smallFont());
  for (const auto& [name, value] : facts) {
    painter.setPen(scene.palette.muted_text);
    painter.drawText(QPointF(left, y), name);
    painter.setPen(scene.palette.text);
    painter.drawText(QPointF(left + names + kColumnGap, y), value);
    y += line;
  }
}

}  // namespace

QRectF placedClear(const QRectF& lane, const QRectF& span, double x, QSizeF size, const QRectF& area,
                   const std::vector<QRectF>& explained) {
  const double most_x = std::max(area.right() - size.width(), area.left());
  const double most_y = std::max(area.bottom() - size.height(), area.top());
  std::vector<double> lefts = {x - size.width() / 2, span.left() - kBoxGap - size.width(), span.right() + kBoxGap};
  for (const QRectF& rect : explained) {
    lefts.push_back(rect.left() - kBoxGap - size.width());
    lefts.push_back(rect.right() + kBoxGap);
  }
  std::vector<double> tops;
  if (lane.bottom() + kBoxGap <= most_y) tops.push_back(lane.bottom() + kBoxGap);
  if (lane.top() - kBoxGap - size.height() >= area.top()) tops.push_back(lane.top() - kBoxGap - size.height());
  tops.insert(tops.end(), {span.center().y() - size.height() / 2, most_y, area.top()});
  QRectF best;
  double least = std::numeric_limits<double>::infinity();
  for (const double top : tops) {
    for (const double left : lefts) {
      const QRectF box(
          QPointF(std::round(std::clamp(left, area.left(), most_x)), std::round(std::clamp(top, area.top(), most_y))),
          size);
      double hidden = kSpanWeight * hiddenBy(box, span);
      for (const QRectF& rect : explained) hidden += hiddenBy(box, rect);
      if (hidden < least) {
        least = hidden;
        best = box;
      }
    }
  }
  return best;
}

const RowBox* TimelineScene::shownBoxOf(std::size_t row) const {
  if (const RowBox* box = layout.boxOf(row)) return box;
  for (const RowBox& box : layout.rows)
    if (data.rows()[box.row].lane == data.rows()[row].lane) return &box;
  return nullptr;
}

void paintMarks(QPainter& painter, const TimelineScene& scene, const TimelineMarks& marks) {
  const look::PainterScope scope(painter, /*antialiased=*/true);
  if (marks.selection) paintSelection(painter, scene, *marks.selection);
  if (marks.current) paintFrameAround(painter, scene, rectOf(scene, *marks.current), scene.palette.accent);
  if (marks.current_gap) paintFrameAround(painter, scene, rectOf(scene, *marks.current_gap), scene.palette.accent);
  const bool hovers = marks.hovered || marks.hovered_gap;
  const std::optional<SpanRef>& span = hovers ? marks.hovered : marks.current;
  const std::optional<LaneGap>& gap = hovers ? marks.hovered_gap : marks.current_gap;
  if (!span && !gap) return;
  for (const Arrow& arrow : marks.arrows) paintArrow(painter, scene, arrow);
  const FactsBox box = span ? factsOf(scene, *span, marks) : factsOf(scene, *gap, marks);
  const bool is_current = span ? span == marks.current : gap == marks.current_gap;
  if (!is_current) paintFrameAround(painter, scene, box.about, scene.palette.text);
  if (marks.boxes && (marks.facts || hovers)) paintFacts(painter, scene, box, marks);
}

}  // namespace lanelab
