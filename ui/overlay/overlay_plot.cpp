// SPDX-License-Identifier: GPL-3.0-only
#include "ui/overlay/overlay_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "engine/library/overlay/curve_points.h"
#include "ui/charts/chart_canvas.h"
#include "ui/overlay/overlay_words.h"

namespace lanelab {

namespace {

constexpr std::size_t kMostSeen = 800;   ///< points of a line: as many as a chart is wide
constexpr std::size_t kMostMarked = 40;  ///< points that can be distinguished
constexpr double kFree = 0.06;           ///< of the values' span, above and below
constexpr double kMiB = 1 << 20, kGiB = 1 << 30;
constexpr double kLongTime = 600;  ///< seconds from which on an axis has minutes

/// From values of the engine to those of an axis.
struct AxisUnit {
  double factor = 1;
  double offset = 0;
  QString name;  ///< empty: none
};

struct PlotSpan {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool any() const { return low <= high; }
};

template <class Value>
PlotSpan spanOf(const Overlay& overlay, Value value) {
  PlotSpan span;
  for (const OverlayCurve& curve : overlay.curves)
    for (const OverlayPoint& point : curve.points) span.include(value(point));
  return span;
}

AxisUnit unitOf(OverlayMetric metric, double highest) {
  switch (metric) {
    case OverlayMetric::Accuracy:
    case OverlayMetric::ValidationAccuracy: return {100, 0, QStringLiteral("%")};
    case OverlayMetric::StepTime:
      return highest < 10 ? AxisUnit{1e3, 0, ChartTexts::tr("ms")} : AxisUnit{1, 0, ChartTexts::tr("s")};
    case OverlayMetric::PeakMemory:
      return highest < 4 * kGiB ? AxisUnit{1 / kMiB, 0, ChartTexts::tr("MiB")}
                                : AxisUnit{1 / kGiB, 0, ChartTexts::tr("GiB")};
    default: return {};
  }
}

/// Micro-batch sizes are mostly powers of two, so that their axis is logarithmic, with a tick at each.
double placeOn(OverlayAxis axis, const AxisUnit& unit, double x) {
  return axis == OverlayAxis::MicroBatchSize ? std::log2(x) : unit.factor * (x + unit.offset);
}

AxisUnit unitOf(OverlayAxis axis, double highest) {
  switch (axis) {
    case OverlayAxis::Step:
    case OverlayAxis::Epoch: return {1, 1, {}};  // from 1 for readers
    case OverlayAxis::Time:
      return highest < kLongTime ? AxisUnit{1, 0, ChartTexts::tr("s")} : AxisUnit{1.0 / 60, 0, ChartTexts::tr("min")};
    default: return {};
  }
}

QString titleWith(const QString& title, const AxisUnit& unit) {
  return unit.name.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, unit.name);
}

PlotAxis valueAxis(const Overlay& overlay, const AxisUnit& unit) {
  const bool figures = joinsVariants(overlay.choice.axis) || overlay.choice.metric == OverlayMetric::StepTime;
  PlotSpan span = spanOf(overlay, [](const OverlayPoint& point) { return point.value; });
  PlotAxis axis{titleWith(overlay_words::title(overlay.choice.metric), unit)};
  if (!span.any()) return axis;
  const double low = figures ? 0 : span.low * unit.factor, high = span.high * unit.factor;
  const double room = kFree * std::max(high - low, std::max(std::abs(high) * 0.1, 1e-9));
  axis.low = figures ? 0 : low - room;
  axis.high = high + room;
  return axis;
}

PlotAxis placeAxis(const Overlay& overlay, const AxisUnit& unit) {
  const OverlayAxis kind = overlay.choice.axis;
  const PlotSpan span = spanOf(overlay, [](const OverlayPoint& point) { return point.x; });
  PlotAxis axis{titleWith(overlay_words::title(kind), unit)};
  axis.whole = kind != OverlayAxis::Time;
  if (!span.any()) return axis;
  axis.low = kind == OverlayAxis::Time ? 0 : placeOn(kind, unit, span.low);
  axis.high = placeOn(kind, unit, span.high);
  if (joinsVariants(kind) || axis.high <= axis.low) {
    axis.low -= 0.5;
    axis.high += 0.5;
  }
  if (!joinsVariants(kind)) return axis;
  std::map<double, QString> places;
  for (const OverlayCurve& curve : overlay.curves)
    for (const OverlayPoint& point : curve.points)
      places[placeOn(kind, unit, point.x)] = QString::number(std::lround(point.x));
  for (const auto& [at, label] : places) axis.ticks.push_back({at, label});
  return axis;
}

/// Through the mean at each place; the points are by place.
std::vector<QPointF> meanLine(const std::vector<PlottedPoint>& points) {
  std::vector<QPointF> line;
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin;
    double sum = 0;
    for (; end < points.size() && points[end].at.x() == points[begin].at.x(); ++end) sum += points[end].at.y();
    line.emplace_back(points[begin].at.x(), sum / static_cast<double>(end - begin));
    begin = end;
  }
  return line;
}

std::vector<QPointF> places(const std::vector<PlottedPoint>& points) {
  std::vector<QPointF> places;
  for (const PlottedPoint& point : points) places.push_back(point.at);
  return places;
}

class CurvePlotter {
 public:
  CurvePlotter(const OverlayChoice& choice, AxisUnit x, AxisUnit y)
      : m_choice(choice), m_x(std::move(x)), m_y(std::move(y)) {}

  PlottedCurve plotted(const OverlayCurve& curve) const {
    PlottedCurve result;
    result.name = overlay_words::name(curve);
    result.points = seen(curve, &OverlayPoint::smoothed);
    result.line = joinsVariants(m_choice.axis) ? meanLine(result.points) : places(result.points);
    if (m_choice.smoothing > 0 && !joinsVariants(m_choice.axis)) result.raw = places(seen(curve, &OverlayPoint::value));
    result.marked = joinsVariants(m_choice.axis) || curve.points.size() <= kMostMarked;
    return result;
  }

 private:
  std::vector<PlottedPoint> seen(const OverlayCurve& curve, double OverlayPoint::*member) const {
    std::vector<double> values;
    for (const OverlayPoint& point : curve.points) values.push_back(point.*member);
    std::vector<PlottedPoint> points;
    for (const std::size_t i : seenPoints(values, kMostSeen))
      points.push_back({{placeOn(m_choice.axis, m_x, curve.points[i].x), values[i] * m_y.factor}, i});
    return points;
  }

  const OverlayChoice& m_choice;
  AxisUnit m_x, m_y;
};

}  // namespace

OverlayPlot plotOf(const Overlay& overlay) {
  const OverlayChoice& choice = overlay.choice;
  const AxisUnit x = unitOf(choice.axis, spanOf(overlay, [](const OverlayPoint& point) { return point.x; }).high);
  const AxisUnit y = unitOf(choice.metric, spanOf(overlay, [](const OverlayPoint& point) { return point.value; }).high);
  OverlayPlot plot{{}, placeAxis(overlay, x), valueAxis(overlay, y)};
  const CurvePlotter plotter(choice, x, y);
  for (const OverlayCurve& curve : overlay.curves) plot.curves.push_back(plotter.plotted(curve));
  return plot;
}

std::vector<PlotTick> ticksOf(const PlotAxis& axis, int most) {
  if (!axis.ticks.empty()) return axis.ticks;
  double interval = niceInterval(axis.high - axis.low, std::max(most, 1));
  if (axis.whole) interval = std::max(interval, 1.0);
  std::vector<PlotTick> ticks;
  const auto first = static_cast<long long>(std::ceil(axis.low / interval - 1e-9));
  const auto last = static_cast<long long>(std::floor(axis.high / interval + 1e-9));
  for (long long i = first; i <= last; ++i)
    ticks.push_back({static_cast<double>(i) * interval, QString::number(static_cast<double>(i) * interval, 'g', 6)});
  return ticks;
}

}  // namespace lanelab
