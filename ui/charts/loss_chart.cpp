// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/loss_chart.h"

#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/charts/chart_canvas.h"
#include "ui/look/plain_text.h"
#include "ui/look/spoken_list.h"

namespace lanelab {

namespace {

constexpr std::size_t kMostMarkedPoints = 40;
constexpr qreal kLineWidth = 2;
constexpr qreal kMarkerRadius = 3;
constexpr qreal kLongestDash = 4;   ///< in widths of the line, as is the next one
constexpr qreal kSeenInLegend = 5;  ///< from the first dash on, so that the legend's short line has one of each curve
constexpr std::size_t kMostTurns = 4;  ///< lines that coincide and can all be seen
constexpr qreal kMarkerRoom = 9;       ///< pixels above and below the curves
constexpr qreal kAroundLosses = 80;    ///< legend, title and labels of the steps

struct Bounds {
  double low = 0;
  double high = 1;
  std::size_t steps = 1;
};

Bounds boundsOf(const std::vector<LossView::Curve>& curves) {
  Bounds bounds;
  bool any = false;
  for (const auto& curve : curves) {
    bounds.steps = std::max(bounds.steps, curve.losses.size());
    for (const double loss : curve.losses) {
      if (!std::isfinite(loss)) continue;
      bounds.low = any ? std::min(bounds.low, loss) : loss;
      bounds.high = any ? std::max(bounds.high, loss) : loss;
      any = true;
    }
  }
  if (!(bounds.high > bounds.low)) {
    const double room = std::max(std::abs(bounds.high) * 0.1, 1e-9);
    return {bounds.low - room, bounds.high + room, bounds.steps};
  }
  return bounds;
}

/// The plot cuts what reaches over its edges, so above the highest and below the lowest loss there is room for a
/// marker, however low the chart is.
void fitMarkers(QChart& chart, QValueAxis& axis, const Bounds& bounds) {
  const auto fit = [&chart, &axis, bounds] {
    const qreal plot = std::max(chart.size().height() - kAroundLosses, 4 * kMarkerRoom);
    const double room = (bounds.high - bounds.low) * kMarkerRoom / (plot - 2 * kMarkerRoom);
    axis.setRange(bounds.low - room, bounds.high + room);
  };
  QObject::connect(&chart, &QGraphicsWidget::geometryChanged, &axis, fit);
  fit();
}

/// Strategies that compute the same lie on one line, so that each later one leaves gaps, in which those below it show:
/// the first is solid, the others take turns along it.
QPen penOf(std::size_t index, std::size_t count, const look::Palette& palette) {
  QPen pen(palette.series(static_cast<int>(index)), kLineWidth);
  pen.setJoinStyle(Qt::RoundJoin);
  if (index == 0) return pen;
  const auto turns = static_cast<qreal>(std::min(count, kMostTurns));
  pen.setCapStyle(Qt::FlatCap);
  const qreal dash = std::min(kLongestDash, kSeenInLegend / (turns - 1));
  pen.setDashPattern({dash, dash * (turns - 1)});
  pen.setDashOffset(-dash * static_cast<qreal>(index % kMostTurns));
  return pen;
}

/// Of curves that share their points, those below have larger markers.
QLineSeries* makeLine(const LossView::Curve& curve, const QPen& pen, std::size_t covered_by) {
  auto* line = new QLineSeries;
  line->setName(look::shownName(curve.name).toHtmlEscaped());
  QList<QPointF> points;
  for (std::size_t i = 0; i < curve.losses.size(); ++i)
    if (std::isfinite(curve.losses[i])) points.append({static_cast<double>(i + 1), curve.losses[i]});
  line->replace(points);
  line->setPen(pen);
  line->setMarkerSize(kMarkerRadius * (1 + 0.5 * static_cast<qreal>(covered_by)));
  line->setPointsVisible(curve.losses.size() <= kMostMarkedPoints);
  return line;
}

QString lossText(double loss) {
  return std::isfinite(loss) ? QString::fromStdString(formatNumber(loss)) : ChartTexts::tr("no finite loss");
}

QString curveWords(const LossView::Curve& curve, std::size_t steps) {
  const QString name = look::shownName(curve.name), first = lossText(curve.losses.front());
  if (curve.losses.size() == 1) return ChartTexts::tr("%1 %2").arg(name, first);
  const QString words = ChartTexts::tr("%1 %2 to %3").arg(name, first, lossText(curve.losses.back()));
  return curve.losses.size() == steps ? words : ChartTexts::tr("%1 at step %2").arg(words).arg(curve.losses.size());
}

}  // namespace

std::unique_ptr<QChart> makeLossChart(const std::vector<LossView::Curve>& curves, const look::Palette& palette) {
  auto chart = makeChart(palette);
  chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);  // with the dashes of the line
  const Bounds bounds = boundsOf(curves);
  auto* steps = makeCountAxis(ChartTexts::tr("Step"), bounds.steps, palette);
  auto* losses = makeValueAxis(ChartTexts::tr("Loss"), "%.4g", palette);
  losses->setRange(bounds.low, bounds.high);
  chart->addAxis(steps, Qt::AlignBottom);
  chart->addAxis(losses, Qt::AlignLeft);
  spreadTicks(*chart, *steps, Qt::Horizontal, true);
  spreadTicks(*chart, *losses, Qt::Vertical);
  fitMarkers(*chart, *losses, bounds);
  for (std::size_t i = 0; i < curves.size(); ++i)
    addSeries(*chart,
              makeLine(curves[i], penOf(i, curves.size(), palette), std::min(curves.size() - 1 - i, kMostTurns - 1)));
  return chart;
}

QString lossWords(const std::vector<LossView::Curve>& curves) {
  const std::size_t steps = boundsOf(curves).steps;
  QStringList words;
  for (const LossView::Curve& curve : curves)
    if (!curve.losses.empty()) words << curveWords(curve, steps);
  if (words.isEmpty()) return {};
  return ChartTexts::tr("Loss over %1: %2.")
      .arg(ChartTexts::tr("%n step(s)", nullptr, static_cast<int>(steps)), look::spokenList(words));
}

std::vector<LossView::Curve> lossCurves(const RunRecord& record) {
  std::vector<LossView::Curve> curves;
  for (const auto& variant : record.variants)
    if (!variant.repeats.empty() && !variant.repeats.back().losses.empty())
      curves.push_back(
          {QString::fromStdString(variant.name), variant.repeats.back().losses, variant.repeats.back().epochs});
  return curves;
}

}  // namespace lanelab
