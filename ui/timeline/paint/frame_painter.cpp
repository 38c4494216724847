// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

void paintTicks(QPainter& painter, const TimelineScene& scene) {
  const QRectF& ruler = scene.layout.ruler;
  const QFontMetricsF metrics(look::smallFont());
  const Nanoseconds tick = tickStep(scene.scale, kTickPixels);
  double free_from = ruler.left() - 1;
  for (const Nanoseconds time : tickTimes(scene.scale.range, tick, scene.data.range().start)) {
    const double x = std::round(scene.scale.x(time));
    painter.setPen(scene.palette.line);
    painter.drawLine(QPointF(x, ruler.bottom() - look::kGrid), QPointF(x, ruler.bottom()));
    const QString text = tickText(time - scene.data.range().start, tick);
    const double width = metrics.horizontalAdvance(text);
    const double start =
        std::clamp(x - width / 2, ruler.left(), std::max(ruler.left(), scene.layout.area.right() - width - 2));
    if (start < free_from) continue;
    painter.setPen(scene.palette.muted_text);
    painter.drawText(QPointF(start, ruler.bottom() - 2 * look::kGrid), text);
    free_from = start + width + 2 * look::kGrid;
  }
  painter.setPen(scene.palette.line);
  painter.drawLine(ruler.bottomLeft(), ruler.bottomRight());
}

/// Length with the pause after it.
Nanoseconds typicalStep(const std::vector<StepWindow>& steps) {
  return (steps.back().range.end - steps.front().range.start) / static_cast<Nanoseconds>(steps.size());
}

void paintStepName(QPainter& painter, const TimelineScene& scene, const QString& text, TimeRange seen) {
  const QFontMetricsF metrics(look::smallFont());
  const QRectF& band = scene.layout.steps;
  const double y = std::round(band.center().y());
  const double x0 = std::round(scene.scale.x(seen.start)), x1 = std::round(scene.scale.x(seen.end));
  const double width = metrics.horizontalAdvance(text);
  const double x = std::clamp((x0 + x1 - width) / 2, band.left(), std::max(band.left(), band.right() - width));
  painter.setPen(scene.palette.line);
  if (x - 9 > x0 + 3) {
    painter.drawLine(QPointF(x0 + 3, y), QPointF(x - 6, y));
    painter.drawLine(QPointF(x + width + 6, y), QPointF(x1 - 3, y));
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
  const QString longest = QString::number(scene.data.steps().back().step);
  const bool in_full = metrics.horizontalAdvance(TimelineTexts::tr("step %1").arg(longest)) + 24 <= pitch;
  const Nanoseconds stride =
      in_full ? 1 : tickStep(TimeScale{{0, 1'000'000}, 0, 1'000'000 * pitch}, metrics.horizontalAdvance(longest) + 10);
  for (const StepWindow& step : scene.data.steps()) {
    const TimeRange seen = intersection(step.range, scene.scale.range);
    if (seen.empty() || step.step % stride != 0) continue;
    // A step that is cut off by the view's edge and too narrow for its name would push it into the next one's bracket.
    const bool cut = seen.start > step.range.start || seen.end < step.range.end;
    const QString name = in_full ? TimelineTexts::tr("step %1").arg(step.step) : QString::number(step.step);
    if (cut && scene.scale.x(seen.end) - scene.scale.x(seen.start) < metrics.horizontalAdvance(name) + look::kGrid)
      continue;
    paintStepName(painter, scene, name, seen);
  }
}

bool exchanges(const TimelineData& data) {
  for (std::size_t row = 0; row < data.rows().size(); ++row)
    if (data.rowKind(row) == RowKind::Exchange) return true;
  return false;
}

struct LegendEntry {
  QString text;
  QColor fill;
  QColor hatch;
  double height;
};

/// Of our own actions.
std::vector<LegendEntry> actionEntries(const TimelineScene& scene) {
  const bool has_transfers =
      std::ranges::any_of(scene.data.rows(), [](const Row& row) { return row.kind == Track::Kind::Transfer; });
  std::vector<LegendEntry> entries = {
      {TimelineTexts::tr("F forward"), scene.palette.forward, {}, 12},
      {TimelineTexts::tr("B backward"), scene.palette.backward, look::mix(scene.palette.backward, Qt::black, 0.22), 12},
      {TimelineTexts::tr("U update"), scene.palette.update, {}, 12}};
  if (has_transfers) entries.push_back({TimelineTexts::tr("transfer"), scene.palette.transfer, {}, 6});
  if (exchanges(scene.data))
    entries.push_back({TimelineTexts::tr("exchange"), scene.palette.span(Category::Sync, Phase::None), {}, 6});
  if (scene.data.prediction())
    entries.push_back({TimelineTexts::tr("pale: predicted"),
                       look::mix(scene.palette.forward, scene.palette.surface, kPredictedPaleness),
                       {},
                       12});
  entries.push_back({TimelineTexts::tr("idle in a step"), scene.palette.idle_background, scene.palette.idle_hatch, 12});
  return entries;
}

/// The rows of another program's trace name their spans, so only what is not compute on a GPU is told apart.
std::vector<LegendEntry> gpuEntries(const TimelineScene& scene) {
  const auto entry = [&](const QString& text, Category category) {
    return LegendEntry{text, scene.palette.span(category, Phase::None), {}, 12};
  };
  return {entry(TimelineTexts::tr("compute"), Category::Kernel),
          entry(TimelineTexts::tr("communication"), Category::Communication),
          entry(TimelineTexts::tr("copy"), Category::Memcpy)};
}

void paintLegend(QPainter& painter, const TimelineScene& scene) {
  std::vector<LegendEntry> entries;
  if (scene.data.computes()) entries = actionEntries(scene);
  if (scene.data.communicates()) entries = gpuEntries(scene);
  if (entries.empty()) return;
  const QFontMetricsF metrics(look::smallFont());
  const double y = std::round(scene.layout.legend.center().y());
  double x = scene.layout.body.left();
  for (const LegendEntry& entry : entries) {
    if (x + 26 + metrics.horizontalAdvance(entry.text) > scene.layout.area.right()) return;
    const QRectF box(x, std::round(y - entry.height / 2), 20, entry.height);
    painter.fillRect(box, entry.fill);
    if (entry.hatch.isValid()) look::hatch(painter, box, entry.hatch, kBackwardSpacing);
    painter.setPen(scene.palette.muted_text);
    painter.drawText(QPointF(x + 26, y + metrics.capHeight() / 2), entry.text);
    x += 26 + metrics.horizontalAdvance(entry.text) + 5 * look::kGrid;
  }
  const QString hint = TimelineTexts::tr("narrow spans: height = busy share");
  if (x + metrics.horizontalAdvance(hint) < scene.layout.area.right())
    painter.drawText(QPointF(x, y + metrics.capHeight() / 2), hint);
}

}  // namespace

void paintFrame(QPainter& painter, const TimelineScene& scene) {
  if (scene.scale.degenerate()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(look::smallFont());
  paintTicks(painter, scene);
  paintStepNames(painter, scene);
  paintLegend(painter, scene);
  painter.restore();
}

}  // namespace lanelab
