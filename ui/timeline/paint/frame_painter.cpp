// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/look/name_colors.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kHiddenEntry = 0.5;  ///< of the text of rows that are hidden, from its colour to the surface

void paintTicks(QPainter& painter, const TimelineScene& scene) {
  const QRectF& ruler = scene.layout.ruler;
  const Nanoseconds tick = tickStep(scene.scale, kTickPixels);
  painter.setPen(scene.palette.line);
  for (const Nanoseconds time : tickTimes(scene.scale.range, tick, scene.data.range().start)) {
    const double x = std::round(scene.scale.x(time));
    painter.drawLine(QPointF(x, ruler.bottom() - look::kGrid), QPointF(x, ruler.bottom()));
  }
  painter.setPen(scene.palette.muted_text);
  for (const TickLabel& label : tickLabels(scene))
    painter.drawText(QPointF(label.left, ruler.bottom() - 2 * look::kGrid), label.text);
  painter.setPen(scene.palette.line);
  painter.drawLine(ruler.bottomLeft(), ruler.bottomRight());
}

/// Length with the pause after it.
Nanoseconds typicalStep(const std::vector<StepWindow>& steps) {
  return (steps.back().range.end - steps.front().range.start) / static_cast<Nanoseconds>(steps.size());
}

/// Steps that overlap stand in two strips by turns.
QRectF stripOf(const TimelineScene& scene, const StepWindow& step) {
  const QRectF& band = scene.layout.steps;
  if (!scene.data.stepsOverlap()) return band;
  const double height = band.height() / 2;
  return QRectF(band.left(), band.top() + (isSecondOfTwo(step.step) ? height : 0), band.width(), height);
}

void paintStepName(QPainter& painter, const TimelineScene& scene, const QString& text, TimeRange seen,
                   const QRectF& band) {
  const QFontMetricsF metrics(look::smallFont());
  const double y = std::round(band.center().y());
  const double x0 = std::round(scene.scale.x(seen.start)), x1 = std::round(scene.scale.x(seen.end));
  const double width = metrics.horizontalAdvance(text);
  const double x = std::clamp((x0 + x1 - width) / 2, band.left(), std::max(band.left(), band.right() - width));
  painter.setPen(scene.palette.line);
  if (x - 9 > x0 + 3) {
    painter.drawLine(QPointF(x0 + 3, y), QPointF(x - 6, y));
    painter.drawLine(QPointF(x + width + 6, y), QPointF(x1 - 3, y));
  }
  if (scene.data.stepsOverlap()) {
    for (const double end : {x0, x1}) painter.drawLine(QPointF(end, y - 3), QPointF(end, y + 3));
  }
  painter.setPen(scene.palette.text);
  painter.drawText(QPointF(x, y + metrics.capHeight() / 2), text);
}

/// A bracket over each step and its name where it fits: "step 2"; where steps are narrow only "2", and every second,
/// fifth, tenth ... step.
void paintStepNames(QPainter& painter, const TimelineScene& scene) {
  if (scene.data.steps().empty()) return;
  const QFontMetricsF metrics(look::smallFont());
  const double pitch = scene.scale.nanosecondsPerPixel() > 0
                           ? static_cast<double>(typicalStep(scene.data.steps())) / scene.scale.nanosecondsPerPixel()
                           : 0;
  const Trace& trace = scene.data.trace();
  const QString longest = QString::number(shownStep(trace, scene.data.steps().back().step));
  const bool in_full = metrics.horizontalAdvance(TimelineTexts::tr("step %1").arg(longest)) + 24 <= pitch;
  const Nanoseconds stride =
      in_full ? 1 : tickStep(TimeScale{{0, 1'000'000}, 0, 1'000'000 * pitch}, metrics.horizontalAdvance(longest) + 10);
  for (const StepWindow& step : scene.data.steps()) {
    const TimeRange seen = intersection(step.range, scene.scale.range);
    const int number = shownStep(trace, step.step);
    if (seen.empty() || number % stride != 0) continue;
    // A step that is cut off by the view's edge and too narrow for its name would push it into the next one's bracket.
    const bool cut = seen.start > step.range.start || seen.end < step.range.end;
    const QString name = in_full ? TimelineTexts::tr("step %1").arg(number) : QString::number(number);
    if (cut && scene.scale.x(seen.end) - scene.scale.x(seen.start) < metrics.horizontalAdvance(name) + look::kGrid)
      continue;
    paintStepName(painter, scene, name, seen, stripOf(scene, step));
  }
}

QColor colorOf(const look::Palette& palette, LegendItem item) {
  switch (item) {
    case LegendItem::Forward: return palette.forward;
    case LegendItem::Backward: return palette.backward;
    case LegendItem::Update: return palette.update;
    case LegendItem::Evaluation: return palette.span(Category::Evaluation, Phase::None);
    case LegendItem::Running: return runningColor(palette, palette.forward);
    case LegendItem::Transfer: return palette.transfer;
    case LegendItem::Exchange: return palette.span(Category::Sync, Phase::None);
    case LegendItem::Predicted: return look::mix(palette.forward, palette.surface, kPredictedInside);
    case LegendItem::Idle: return palette.idle_background;
    case LegendItem::Communication: return palette.span(Category::Communication, Phase::None);
    case LegendItem::Copy: return palette.span(Category::Memcpy, Phase::None);
    case LegendItem::Host: return palette.span(Category::Host, Phase::None);
    case LegendItem::Counters: return look::mix(palette.accent, palette.muted_text, 0.4);
    case LegendItem::Named: return look::nameColors(palette).front();
    case LegendItem::More: break;
  }
  return {};
}

void paintMark(QPainter& painter, const look::Palette& palette, const LegendEntry& entry) {
  const QColor color = colorOf(palette, entry.item);
  const bool outlined = entry.item == LegendItem::Predicted || !entry.shown;
  painter.fillRect(entry.mark, outlined ? entry.shown ? palette.forward : palette.muted_text : color);
  if (outlined) painter.fillRect(entry.mark.adjusted(1, 1, -1, -1), entry.shown ? color : palette.surface);
  if (entry.item == LegendItem::Named)
    for (int i = 1; i < 4; ++i)
      painter.fillRect(entry.mark.adjusted(entry.mark.width() * i / 4, 0, 0, 0),
                       look::nameColors(palette)[static_cast<std::size_t>(3 * i)]);
  if (entry.item == LegendItem::Backward || entry.item == LegendItem::Communication)
    look::hatch(painter, entry.mark, palette.hatchOn(color), kBackwardSpacing);
  if (entry.item == LegendItem::Idle) look::hatch(painter, entry.mark, palette.idle_hatch, kBackwardSpacing);
}

void paintCheck(QPainter& painter, const look::Palette& palette, const LegendEntry& entry) {
  painter.fillRect(entry.check, palette.muted_text);
  painter.fillRect(entry.check.adjusted(1, 1, -1, -1), palette.surface);
  if (!entry.shown) return;
  const QRectF& box = entry.check;
  const look::PainterScope scope(painter, /*antialiased=*/true);
  painter.setPen(QPen(palette.text, 1.5));
  painter.drawPolyline(
      QPolygonF({QPointF(box.left() + 2, box.center().y()), QPointF(box.center().x() - 0.5, box.bottom() - 2.5),
                 QPointF(box.right() - 2, box.top() + 2.5)}));
}

void paintLegend(QPainter& painter, const TimelineScene& scene, const std::vector<LegendEntry>& entries) {
  if (entries.empty()) return;
  const QFontMetricsF metrics(look::smallFont());
  const auto baseline = [&metrics](const LegendEntry& entry) {
    return std::round(entry.rect.center().y()) + metrics.capHeight() / 2;
  };
  painter.setFont(look::smallFont());
  for (const LegendEntry& entry : entries) {
    if (entry.rows) paintCheck(painter, scene.palette, entry);
    if (!entry.mark.isEmpty()) paintMark(painter, scene.palette, entry);
    painter.setPen(entry.shown ? scene.palette.muted_text : scene.palette.pale(scene.palette.muted_text, kHiddenEntry));
    const double left = entry.mark.isEmpty() ? entry.rect.left() : entry.mark.right() + 6;
    painter.drawText(QPointF(left, baseline(entry)), entry.text);
  }
  painter.setPen(scene.palette.muted_text);
  const QString hint = scene.data.stepsOverlap()
                           ? TimelineTexts::tr("even steps: muted; dense areas: height = utilization")
                           : TimelineTexts::tr("dense areas: height = utilization");
  const double x = entries.back().rect.right() + 5 * look::kGrid;
  if (x + metrics.horizontalAdvance(hint) < scene.layout.area.right())
    painter.drawText(QPointF(x, baseline(entries.back())), hint);
}

}  // namespace

std::vector<TickLabel> tickLabels(const TimelineScene& scene) {
  const QRectF& ruler = scene.layout.ruler;
  const QFontMetricsF metrics(look::smallFont());
  const Nanoseconds tick = tickStep(scene.scale, kTickPixels);
  std::vector<TickLabel> labels;
  double free_from = ruler.left() - 1;
  for (const Nanoseconds time : tickTimes(scene.scale.range, tick, scene.data.range().start)) {
    const double x = std::round(scene.scale.x(time));
    const QString text = tickText(time - scene.data.range().start, tick);
    const double width = metrics.horizontalAdvance(text);
    const double left =
        std::clamp(x - width / 2, ruler.left(), std::max(ruler.left(), scene.layout.area.right() - width - 2));
    if (left < free_from) continue;
    labels.push_back({left, left + width, text});
    free_from = left + width + 2 * look::kGrid;
  }
  return labels;
}

void paintFrame(QPainter& painter, const TimelineScene& scene, const std::vector<LegendEntry>& legend) {
  if (scene.scale.degenerate()) return;
  const look::PainterScope scope(painter, /*antialiased=*/false);
  painter.setFont(look::smallFont());
  paintTicks(painter, scene);
  paintStepNames(painter, scene);
  paintLegend(painter, scene, legend);
}

}  // namespace lanelab
