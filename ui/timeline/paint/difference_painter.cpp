// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <QFontMetricsF>
#include <QHash>
#include <algorithm>
#include <cmath>

#include "ui/timeline/layout/action_difference.h"
#include "ui/timeline/layout/level_of_detail.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kSame = 0.02;      ///< below it a difference is noise
constexpr double kStrongest = 0.5;  ///< from it on the tint is full
constexpr double kPalest = 0.3;

/// Okabe-Ito's orange and sky blue: distinguished by everyone, and no action has them.
const QColor kSlower(0xe6, 0x9f, 0x00);
const QColor kFaster(0x56, 0xb4, 0xe9);

QColor tintOf(const look::Palette& palette, std::optional<double> difference) {
  const QColor same = palette.pale(palette.wait, 0.35);
  if (!difference) return palette.pale(palette.wait, 0.75);
  if (std::abs(*difference) < kSame) return same;
  const double strength = kPalest + (1 - kPalest) * std::min(std::abs(*difference) / kStrongest, 1.0);
  return look::mix(same, *difference > 0 ? kSlower : kFaster, strength);
}

/// Of a label; each is measured once.
double widthOf(const QString& label, QHash<QString, double>& widths) {
  const auto known = widths.constFind(label);
  if (known != widths.constEnd()) return *known;
  return *widths.insert(label, QFontMetricsF(look::smallFont()).horizontalAdvance(label));
}

/// The action and the difference, the difference, its sign, or nothing: the most that fits.
void paintDifference(QPainter& painter, const TimelineScene& scene, const QRectF& rect, SpanRef ref,
                     QHash<QString, double>& widths) {
  const std::optional<double> difference = differenceOf(scene.data, ref);
  const QColor fill = tintOf(scene.palette, difference);
  const bool outlined = rect.width() >= 6;
  painter.fillRect(rect, outlined ? scene.palette.outline : fill);
  if (outlined) painter.fillRect(rect.adjusted(1, 1, -1, -1), fill);
  if (rect.height() < kLowestLabel) return;
  const QString name = scene.data.label(scene.data.span(ref));
  QStringList choices{name};
  if (difference) {
    const QString text = differenceText(*difference);
    choices = {name + QLatin1Char(' ') + text, text, text.left(1)};
    if (std::abs(*difference) < kSame) choices[2] = QStringLiteral("=");
  }
  for (const QString& text : choices) {
    const double width = widthOf(text, widths);
    if (width + look::kGrid > rect.width()) continue;
    painter.setFont(look::smallFont());
    painter.setPen(look::inkOn(fill));
    painter.drawText(
        QPointF(rect.center().x() - width / 2, rect.center().y() + QFontMetricsF(look::smallFont()).capHeight() / 2),
        text);
    return;
  }
}

void paintDifferencesOf(QPainter& painter, const TimelineScene& scene, const RowBox& box,
                        QHash<QString, double>& widths) {
  const Row& row = scene.data.rows()[box.row];
  const QRectF& bars = box.rect;
  for (const Bar& bar : levelOfDetail(row, scene.data.track(row), scene.scale).bars) {
    const double x0 = std::round(std::max(bar.x0, scene.layout.body.left())),
                 x1 = std::round(std::min(bar.x1, scene.layout.body.right()));
    const SpanRef ref{box.row, bar.position};
    if (x1 > x0 && !scene.data.trace().failed(scene.data.span(ref)))
      paintDifference(painter, scene, QRectF(x0, std::round(bars.top()), x1 - x0, std::round(bars.height())), ref,
                      widths);
  }
}

}  // namespace

void paintRunEnds(QPainter& painter, const TimelineScene& scene) {
  if (!scene.data.aligned()) return;
  const look::PainterScope scope(painter, /*antialiased=*/false);
  for (const RowBox& box : scene.layout.rows) {
    const Row& row = scene.data.rows()[box.row];
    if (row.kind != Track::Kind::Compute || row.depth != 0) continue;
    auto own = scene.data.stepsOf(row.lane).begin();
    for (const StepWindow& step : scene.data.steps()) {
      while (own != scene.data.stepsOf(row.lane).end() && own->step < step.step) ++own;
      const bool has = own != scene.data.stepsOf(row.lane).end() && own->step == step.step;
      const TimeRange over = intersection({has ? own->range.end : step.range.start, step.range.end}, scene.scale.range);
      const double x0 = std::round(scene.scale.x(over.start)), x1 = std::round(scene.scale.x(over.end));
      if (!over.empty() && x1 > x0)
        painter.fillRect(QRectF(x0, box.rect.top(), x1 - x0, box.rect.height()).toRect(), scene.palette.surface);
    }
  }
}

void paintDifferences(QPainter& painter, const TimelineScene& scene) {
  const look::PainterScope scope(painter, /*antialiased=*/false);
  QHash<QString, double> widths;
  for (const RowBox& box : scene.layout.rows) {
    if (scene.isSeen(box.rect) && tinted(scene.data, scene.data.rows()[box.row]))
      paintDifferencesOf(painter, scene, box, widths);
  }
}

void paintDifferenceLegend(QPainter& painter, const TimelineScene& scene) {
  const QString fellow = scene.data.aligned() ? TimelineTexts::tr("than A") : TimelineTexts::tr("than predicted");
  const std::pair<QString, QColor> entries[] = {
      {TimelineTexts::tr("+ slower %1").arg(fellow), tintOf(scene.palette, kStrongest)},
      {TimelineTexts::tr("= within 2 %"), tintOf(scene.palette, 0)},
      {TimelineTexts::tr("\u2212 faster %1").arg(fellow), tintOf(scene.palette, -kStrongest)},
      {TimelineTexts::tr("no match"), tintOf(scene.palette, std::nullopt)}};
  const look::PainterScope scope(painter, /*antialiased=*/false);
  painter.fillRect(scene.layout.legend, scene.palette.surface);
  painter.setFont(look::smallFont());
  const QFontMetricsF metrics(look::smallFont());
  const double y = std::round(scene.layout.legend.center().y());
  double x = scene.layout.body.left();
  for (const auto& [text, color] : entries) {
    if (x + 26 + metrics.horizontalAdvance(text) > scene.layout.area.right()) break;
    painter.fillRect(QRectF(x, y - 6, 20, 12), scene.palette.outline);
    painter.fillRect(QRectF(x + 1, y - 5, 18, 10), color);
    painter.setPen(scene.palette.muted_text);
    painter.drawText(QPointF(x + 26, y + metrics.capHeight() / 2), text);
    x += 26 + metrics.horizontalAdvance(text) + 5 * look::kGrid;
  }
}

}  // namespace lanelab
