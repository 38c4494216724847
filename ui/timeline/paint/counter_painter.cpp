// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <QFontMetricsF>
#include <cmath>

#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kAreaPaleness = 0.75;  ///< from the line's colour to the surface
constexpr double kBandPaleness = 0.5;

void paintGreatest(QPainter& painter, const TimelineScene& scene, const QRectF& rect, const CounterRow& counter) {
  const auto values = counter.within(scene.scale.range);
  if (!values) return;
  const QFont font = look::smallFont();
  const QFontMetricsF metrics(font);
  const QString text = TimelineTexts::tr("max %1").arg(counter.text(values->greatest));
  const double width = metrics.horizontalAdvance(text) + 2 * look::kGrid;
  if (width > rect.width() / 2) return;
  const QRectF plate(rect.right() - width, rect.top(), width, std::min(metrics.height(), rect.height()));
  QColor veil = scene.palette.surface;
  veil.setAlphaF(0.8F);
  painter.fillRect(plate, veil);
  painter.setPen(scene.palette.muted_text);
  painter.setFont(font);
  painter.drawText(QPointF(plate.left() + look::kGrid, plate.top() + metrics.ascent()), text);
}

/// Whole pixels: the area below the mean where the chart begins at 0, the band from the least to the greatest value,
/// and the line of the mean.
void paintCounter(QPainter& painter, const TimelineScene& scene, const CounterBox& box) {
  const CounterRow& counter = scene.data.counters()[box.counter];
  const QRectF rect(box.rect.left(), std::round(box.rect.top()), box.rect.width(), std::round(box.rect.height()));
  const MinMax scale = counter.scale();
  const auto y = [&](double value) {
    return std::round(rect.bottom() - 1 - (value - scale.least) / (scale.greatest - scale.least) * (rect.height() - 2));
  };
  const QColor line = look::mix(scene.palette.accent, scene.palette.muted_text, 0.4);
  const QColor area = look::mix(line, scene.palette.surface, kAreaPaleness);
  const QColor band = look::mix(line, scene.palette.surface, kBandPaleness);
  painter.setPen(Qt::NoPen);
  double last = std::nan("");
  for (const CounterRow::Stretch& stretch : counter.stretches(scene.scale)) {
    const double x0 = std::round(stretch.x0), width = std::round(stretch.x1) - x0;
    if (width <= 0) continue;
    const double top = y(stretch.values.greatest), bottom = y(stretch.values.least), mean = y(stretch.mean);
    if (scale.least == 0) painter.fillRect(QRectF(x0, mean, width, rect.bottom() - mean), area);
    if (top < bottom) painter.fillRect(QRectF(x0, top, width, bottom - top + 1), band);
    painter.fillRect(QRectF(x0, mean, width, 1), line);
    // The step from the value before.
    if (!std::isnan(last)) painter.fillRect(QRectF(x0, std::min(last, mean), 1, std::abs(last - mean) + 1), line);
    last = mean;
  }
  painter.fillRect(QRectF(rect.left(), rect.bottom(), rect.width(), 1), scene.palette.grid);
  paintGreatest(painter, scene, rect, counter);
}

}  // namespace

void paintCounters(QPainter& painter, const TimelineScene& scene) {
  const look::PainterScope scope(painter, /*antialiased=*/false);
  for (const CounterBox& box : scene.layout.counters)
    if (scene.isSeen(box.rect)) paintCounter(painter, scene, box);
}

}  // namespace lanelab
