// SPDX-License-Identifier: GPL-3.0-only
#include "ui/curve/memory_chart.h"

#include <QFontMetricsF>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QPainter>
#include <QScatterSeries>
#include <QValueAxis>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ui/charts/chart_canvas.h"
#include "ui/look/quantity_text.h"
#include "ui/look/spoken_list.h"

namespace lanelab {
namespace {

constexpr qreal kMark = 10;        ///< pixels across
constexpr qreal kReach = 12;       ///< of the mouse
constexpr double kBeside = 0.08;   ///< of the peaks' span, free on both sides
constexpr double kAbove = 0.2;     ///< of the times' span, free above and below: the pane is low, and names need room
constexpr double kPale = 0.65;     ///< of the way to the background
constexpr double kFarLimit = 1.5;  ///< times the largest peak: a limit beyond it is not drawn

struct Units {
  double bytes = 1 << 20, seconds = 1e-3;
  QString of_bytes, of_seconds;
};

struct ValueSpan {
  double low = 0, high = 1;
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Of what is predicted and measured.
template <class Value>
ValueSpan spanOf(const ShownCurve& curve, Value value) {
  ValueSpan extent{value(curve.points.front()), value(curve.points.front())};
  for (const CurvePoint& point : curve.points) extent.include(value(point));
  for (const MeasuredPoint& point : curve.measured) extent.include(value(point));
  return extent;
}

ValueSpan peaksOf(const ShownCurve& curve) {
  return spanOf(curve, [](const auto& point) { return static_cast<double>(point.peak_bytes); });
}

ValueSpan timesOf(const ShownCurve& curve) {
  return spanOf(curve, [](const auto& point) { return point.step_seconds; });
}

std::vector<CurveLimit> drawnLimits(const ShownCurve& curve) {
  std::vector<CurveLimit> limits = curve.limits;
  const double far = kFarLimit * peaksOf(curve).high;
  std::erase_if(limits, [far](const CurveLimit& limit) { return static_cast<double>(limit.bytes) > far; });
  return limits;
}

Units unitsOf(const ShownCurve& curve) {
  Units units;
  const bool large = peaksOf(curve).high >= 4.0 * (1 << 30), slow = timesOf(curve).high >= 10;
  if (large) units.bytes = 1 << 30;
  if (slow) units.seconds = 1;
  units.of_bytes = large ? ChartTexts::tr("GiB") : ChartTexts::tr("MiB");
  units.of_seconds = slow ? ChartTexts::tr("s") : ChartTexts::tr("ms");
  return units;
}

/// Plots one value of an axis where Qt Charts does.
double along(const QValueAxis& axis, double value) { return (value - axis.min()) / (axis.max() - axis.min()); }

QPointF placeOf(const QChart& chart, const Units& units, double bytes, double seconds) {
  const auto across = chart.axes(Qt::Horizontal), up = chart.axes(Qt::Vertical);
  if (across.empty() || up.empty()) return {};
  const QRectF plot = chart.plotArea();
  return {plot.left() + plot.width() * along(static_cast<QValueAxis&>(*across.front()), bytes / units.bytes),
          plot.bottom() - plot.height() * along(static_cast<QValueAxis&>(*up.front()), seconds / units.seconds)};
}

/// A predicted or a measured one.
template <class Point>
QPointF placeOf(const QChart& chart, const Units& units, const Point& point) {
  return placeOf(chart, units, static_cast<double>(point.peak_bytes), point.step_seconds);
}

QRectF around(QPointF centre, qreal side) { return {centre.x() - side / 2, centre.y() - side / 2, side, side}; }

/// Names, rings, limits and the lines from what was measured to what was predicted.
class CurveMarks : public ChartMarks {
 public:
  CurveMarks(QChart* chart, const look::Palette& palette, const ShownCurve& curve, std::optional<std::size_t> chosen)
      : ChartMarks(chart, palette), m_curve(curve), m_chosen(chosen) {}

 protected:
  void draw(QPainter& painter) const override {
    painter.setFont(pixelFont(look::smallFont()));
    std::vector<QRectF> taken = marks();
    drawLinks(painter);
    drawLimits(painter, taken);
    drawNames(painter, taken);
  }

 private:
  std::vector<QRectF> marks() const {
    std::vector<QRectF> taken;
    for (const CurvePoint& point : m_curve.points) taken.push_back(around(placeOf(*m_chart, m_units, point), kMark));
    for (const MeasuredPoint& point : m_curve.measured)
      taken.push_back(around(placeOf(*m_chart, m_units, point), kMark));
    return taken;
  }

  void drawLinks(QPainter& painter) const {
    painter.setPen(QPen(m_palette.muted_text, 1, Qt::DotLine));
    for (const MeasuredPoint& point : m_curve.measured)
      painter.drawLine(placeOf(*m_chart, m_units, m_curve.points[point.point]), placeOf(*m_chart, m_units, point));
  }

  void drawLimits(QPainter& painter, std::vector<QRectF>& taken) const {
    const QRectF plot = m_chart->plotArea();
    const QFontMetricsF metrics(painter.font());
    const std::vector<CurveLimit> limits = drawnLimits(m_curve);
    const auto at = [&](const CurveLimit& limit) {
      return placeOf(*m_chart, m_units, static_cast<double>(limit.bytes), 0).x();
    };
    painter.setPen(QPen(m_palette.error, 1.5, Qt::DashLine));
    for (const CurveLimit& limit : limits)
      painter.drawLine(QPointF(at(limit), plot.top()), QPointF(at(limit), plot.bottom()));
    for (const CurveLimit& limit : limits) {
      const qreal x = at(limit);
      const qreal width = metrics.horizontalAdvance(limit.words);
      QRectF words(x + look::kGrid, plot.top() + look::kGrid, width, metrics.height());
      if (words.right() > plot.right()) words.moveRight(x - look::kGrid);
      while (words.bottom() < plot.bottom() && !isFree(words, taken)) words.translate(0, metrics.height());
      painter.fillRect(words, m_palette.surface);  // the line of the next limit may cross them
      painter.setPen(m_palette.error);
      painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, limit.words);
      taken.push_back(words);
    }
  }

  /// The chosen point first, then the variant's own, then the front by time; a name without room is left out.
  void drawNames(QPainter& painter, std::vector<QRectF>& taken) const {
    std::vector<std::size_t> order;
    if (m_chosen && *m_chosen < m_curve.points.size()) {
      drawRing(painter, m_curve.points[*m_chosen], 2, m_palette.text);
      order.push_back(*m_chosen);
    }
    for (std::size_t i = 0; i < m_curve.points.size(); ++i) {
      if (!m_curve.points[i].present) continue;
      drawRing(painter, m_curve.points[i], 1.5, m_palette.accent);
      order.push_back(i);
    }
    for (std::size_t i = 0; i < m_curve.points.size(); ++i)
      if (m_curve.points[i].on_front) order.push_back(i);
    std::vector<std::size_t> named;
    for (const std::size_t i : order) {
      if (std::ranges::find(named, i) != named.end()) continue;
      named.push_back(i);
      drawName(painter, m_curve.points[i], taken);
    }
  }

  void drawRing(QPainter& painter, const CurvePoint& point, qreal width, const QColor& color) const {
    painter.setPen(QPen(color, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(around(placeOf(*m_chart, m_units, point), kMark + 2 * look::kGrid));
  }

  void drawName(QPainter& painter, const CurvePoint& point, std::vector<QRectF>& taken) const {
    const QFontMetricsF metrics(painter.font());
    const QString name = pointTitle(point);
    const QSizeF size(metrics.horizontalAdvance(name) + 2, metrics.height());
    const QPointF at = placeOf(*m_chart, m_units, point);
    const qreal off = kMark / 2 + look::kGrid;
    const std::array<QPointF, 8> corners{QPointF(off, -size.height() / 2),
                                         QPointF(off / 2, -off - size.height() + 2),
                                         QPointF(off / 2, off - 2),
                                         QPointF(-size.width() / 2, -off - size.height()),
                                         QPointF(-size.width() / 2, off),
                                         QPointF(-off - size.width(), -size.height() / 2),
                                         QPointF(-off / 2 - size.width(), -off - size.height() + 2),
                                         QPointF(-off / 2 - size.width(), off - 2)};
    for (const QPointF& corner : corners) {
      const QRectF rect(at + corner, size);
      if (!m_chart->plotArea().contains(rect) || !isFree(rect, taken)) continue;
      painter.setPen(point.fits ? m_palette.text : m_palette.muted_text);
      painter.drawText(rect, Qt::AlignCenter, name);
      taken.push_back(rect);
      return;
    }
  }

  static bool isFree(const QRectF& rect, const std::vector<QRectF>& taken) {
    return std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(rect); });
  }

  ShownCurve m_curve;
  std::optional<std::size_t> m_chosen;
  Units m_units = unitsOf(m_curve);
};

QValueAxis* makeAxis(const QString& title, ValueSpan extent, double free, const look::Palette& palette) {
  const double span = std::max(extent.high - extent.low, extent.high / 100);
  QValueAxis* const axis = makeValueAxis(title, "%g", palette);
  axis->setRange(std::max(0.0, extent.low - free * span), extent.high + free * span);
  return axis;
}

/// What is recomputed, as an index of kKinds.
std::size_t kindOf(const CurvePoint& point) { return static_cast<std::size_t>(point.recompute); }

/// Shape and title of each kind of recompute; its colour is the series' of the same index.
struct Kind {
  QScatterSeries::MarkerShape shape;
  const char* title;
};
constexpr std::array<Kind, 3> kKinds{
    {{QScatterSeries::MarkerShapeCircle, QT_TRANSLATE_NOOP("Charts", "No recompute")},
     {QScatterSeries::MarkerShapeTriangle, QT_TRANSLATE_NOOP("Charts", "Activations")},
     {QScatterSeries::MarkerShapeRectangle, QT_TRANSLATE_NOOP("Charts", "Whole stages")}}};

/// How a kind of point looks: filled if measured, pale if it does not fit.
QScatterSeries* makeMarks(std::size_t kind, bool measured, bool fits, const look::Palette& palette) {
  auto* marks = new QScatterSeries;
  const QColor color = palette.series(static_cast<int>(kind));
  const QColor shown = fits ? color : palette.pale(color, kPale);
  marks->setMarkerShape(kKinds[kind].shape);
  marks->setMarkerSize(kMark);
  marks->setColor(measured ? shown : palette.surface);
  marks->setBorderColor(shown);
  marks->setPen(QPen(shown, 2));
  QString name = ChartTexts::tr(kKinds[kind].title);
  if (measured) name = ChartTexts::tr("%1, measured").arg(name);
  if (!fits) name = ChartTexts::tr("%1, does not fit").arg(name);
  marks->setName(name);
  return marks;
}

template <class Point>
void place(QXYSeries& series, const Units& units, const Point& point) {
  series.append(static_cast<double>(point.peak_bytes) / units.bytes, point.step_seconds / units.seconds);
}

QLineSeries* makeFront(const ShownCurve& curve, const Units& units, const look::Palette& palette) {
  auto* front = new QLineSeries;
  front->setName(ChartTexts::tr("Front"));
  QPen pen(palette.muted_text, 1.5);
  pen.setJoinStyle(Qt::RoundJoin);
  front->setPen(pen);
  for (const CurvePoint& point : curve.points)
    if (point.on_front) place(*front, units, point);
  return front;
}

/// In the legend only: an entry for each combination would be cut in a narrow pane, so the caption says what is filled.
void addEntries(QChart& chart, const ShownCurve& curve, const look::Palette& palette) {
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
    if (std::ranges::any_of(curve.points, [kind](const CurvePoint& point) { return kindOf(point) == kind; }))
      addSeries(chart, makeMarks(kind, false, true, palette));
}

void addWithoutEntry(QChart& chart, QXYSeries* series) {
  addSeries(chart, series);
  for (QLegendMarker* const entry : chart.legend()->markers(series)) entry->setVisible(false);
}

void addMarks(QChart& chart, const ShownCurve& curve, const Units& units, const look::Palette& palette) {
  for (const bool measured : {false, true}) {
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
      for (const bool fits : {true, false}) {
        auto marks = std::unique_ptr<QScatterSeries>(makeMarks(kind, measured, fits, palette));
        const auto is = [&](const CurvePoint& point) { return kindOf(point) == kind && point.fits == fits; };
        for (const CurvePoint& point : curve.points)
          if (!measured && is(point)) place(*marks, units, point);
        for (const MeasuredPoint& point : curve.measured)
          if (measured && is(curve.points[point.point])) place(*marks, units, point);
        if (marks->count() > 0) addWithoutEntry(chart, marks.release());
      }
    }
  }
}

}  // namespace

std::unique_ptr<QChart> makeMemoryChart(const ShownCurve& curve, const look::Palette& palette,
                                        std::optional<std::size_t> chosen) {
  auto chart = makeChart(palette);
  if (curve.points.empty()) return chart;
  const Units units = unitsOf(curve);
  ValueSpan peaks = peaksOf(curve), times = timesOf(curve);
  for (const CurveLimit& limit : drawnLimits(curve)) peaks.include(static_cast<double>(limit.bytes));
  peaks = {peaks.low / units.bytes, peaks.high / units.bytes};
  times = {times.low / units.seconds, times.high / units.seconds};
  auto* across =
      makeAxis(ChartTexts::tr("Peak memory of the largest lane (%1)").arg(units.of_bytes), peaks, kBeside, palette);
  auto* up = makeAxis(QStringLiteral("%1 (%2)").arg(timeTitle(curve.window), units.of_seconds), times, kAbove, palette);
  chart->addAxis(across, Qt::AlignBottom);
  chart->addAxis(up, Qt::AlignLeft);
  chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
  addWithoutEntry(*chart, makeFront(curve, units, palette));
  addEntries(*chart, curve, palette);
  addMarks(*chart, curve, units, palette);
  spreadTicks(*chart, *across, Qt::Horizontal);
  spreadTicks(*chart, *up, Qt::Vertical);
  new CurveMarks(chart.get(), palette, curve, chosen);
  return chart;
}

QPointF markOf(const ShownCurve& curve, const QChart& chart, std::size_t point) {
  return placeOf(chart, unitsOf(curve), curve.points[point]);
}

std::optional<std::size_t> pointNear(const ShownCurve& curve, const QChart& chart, QPointF at) {
  if (curve.points.empty()) return std::nullopt;
  const Units units = unitsOf(curve);
  std::optional<std::size_t> nearest;
  qreal least = kReach;
  const auto look_at = [&](std::size_t index, QPointF mark) {
    const qreal distance = std::hypot(mark.x() - at.x(), mark.y() - at.y());
    if (distance >= least) return;
    least = distance;
    nearest = index;
  };
  for (std::size_t i = 0; i < curve.points.size(); ++i) look_at(i, placeOf(chart, units, curve.points[i]));
  for (const MeasuredPoint& point : curve.measured) look_at(point.point, placeOf(chart, units, point));
  return nearest;
}

QString memoryWords(const ShownCurve& curve, std::optional<std::size_t> chosen) {
  if (curve.points.empty()) return {};
  const auto words_of = [](const CurvePoint& point) {
    return ChartTexts::tr("%1 %2 %3")
        .arg(pointTitle(point), bytesText(point.peak_bytes), secondsText(point.step_seconds));
  };
  QStringList front;
  for (const CurvePoint& point : curve.points)
    if (point.on_front) front << words_of(point);
  QString words = ChartTexts::tr("Peak memory and %1 of %2 combinations, %3 measured. On the front: %4.")
                      .arg(timeTitle(curve.window).toLower())
                      .arg(curve.points.size())
                      .arg(curve.measured.size())
                      .arg(look::spokenList(front));
  if (chosen && *chosen < curve.points.size())
    words += ' ' + ChartTexts::tr("Selected: %1.").arg(words_of(curve.points[*chosen]));
  return words;
}

Picture curvePicture(const ShownCurve& curve, const QString& metadata) {
  const auto paint = [curve](QPainter& painter, const QRectF& rect, const look::Palette& palette) {
    paintChart(makeMemoryChart(curve, palette), painter, rect);
  };
  return {curveHeadline(curve), curveCaption(curve), QSizeF(720, 380), paint, metadata, memoryWords(curve)};
}

}  // namespace lanelab
