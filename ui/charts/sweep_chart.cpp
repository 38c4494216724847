// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/sweep_chart.h"

#include <QFontMetricsF>
#include <QLegend>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QPainter>
#include <QScatterSeries>
#include <QValueAxis>
#include <algorithm>

#include "ui/charts/chart_canvas.h"
#include "ui/look/quantity_text.h"
#include "ui/look/spoken_list.h"

namespace lanelab {

namespace {

constexpr qreal kMarker = 9;
constexpr qreal kSweepCapHalf = 4;
constexpr double kRoomAbove = 1.12;

double highest(const std::vector<SweepPoint>& points) {
  double most = 0;
  for (const SweepPoint& point : points) {
    most = std::max({most, point.predicted.value_or(0), point.measured.value_or(0)});
    if (const auto whisker = whiskerOf(point)) most = std::max(most, whisker->high);
  }
  return most > 0 ? most : 1;
}

/// Whiskers, and split sizes, as a logarithmic axis ticks at powers only.
class SweepMarks : public ChartMarks {
 public:
  SweepMarks(QChart* chart, const look::Palette& palette, QAbstractSeries* series, std::vector<SweepPoint> points)
      : ChartMarks(chart, palette), m_series(series), m_points(std::move(points)) {}

 protected:
  void draw(QPainter& painter) const override {
    drawSplitSizes(painter);
    for (const SweepPoint& point : m_points) {
      if (const auto whisker = whiskerOf(point)) drawWhisker(painter, point, *whisker);
    }
  }

 private:
  QPointF at(const SweepPoint& point, double seconds) const {
    return m_chart->mapToPosition(QPointF(point.split_size, seconds), m_series);
  }

  void drawWhisker(QPainter& painter, const SweepPoint& point, const Interval& whisker) const {
    const QPointF low = at(point, std::max(whisker.low, 0.0));
    const QPointF high = at(point, whisker.high);
    painter.setPen(QPen(m_palette.text, 1.5));
    painter.drawLine(low, high);
    for (const QPointF& end : {low, high})
      painter.drawLine(end - QPointF(kSweepCapHalf, 0), end + QPointF(kSweepCapHalf, 0));
  }

  /// Under the axis; a number that would touch the one before is left out.
  void drawSplitSizes(QPainter& painter) const {
    const QFont font = pixelFont(look::smallFont());
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    const QRectF plot = m_chart->plotArea();
    painter.setPen(QPen(m_palette.line, 1));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    qreal free_from = 0;
    for (const SweepPoint& point : m_points) {
      const QString text = QString::number(point.split_size);
      const qreal x = at(point, 0).x();
      const qreal width = metrics.horizontalAdvance(text);
      painter.setPen(QPen(m_palette.line, 1));
      painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + look::kGrid));
      if (x - width / 2 < free_from) continue;
      painter.setPen(m_palette.text);
      painter.drawText(QPointF(x - width / 2, plot.bottom() + look::kGrid + metrics.ascent()), text);
      free_from = x + width / 2 + look::kGrid;
    }
  }

  QAbstractSeries* m_series;
  std::vector<SweepPoint> m_points;
};

QLineSeries* makePredicted(const std::vector<SweepPoint>& points, const look::Palette& palette) {
  auto* line = new QLineSeries;
  line->setName(ChartTexts::tr("Predicted"));
  for (const SweepPoint& point : points) {
    if (point.predicted) line->append(point.split_size, *point.predicted);
  }
  QPen pen(palette.series(0), 2);
  pen.setStyle(Qt::DashLine);
  pen.setJoinStyle(Qt::RoundJoin);
  line->setPen(pen);
  return line;
}

QScatterSeries* makeMeasured(const std::vector<SweepPoint>& points, const look::Palette& palette,
                             const std::function<void(std::size_t)>& on_click) {
  auto* marks = new QScatterSeries;
  marks->setName(ChartTexts::tr("Measured"));
  marks->setMarkerSize(kMarker);
  marks->setColor(palette.series(1));
  marks->setBorderColor(palette.outline);
  for (const SweepPoint& point : points) {
    if (point.measured) marks->append(point.split_size, *point.measured);
  }
  if (on_click) {
    QObject::connect(marks, &QXYSeries::clicked, marks, [points, on_click](const QPointF& clicked) {
      for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].measured && points[i].split_size == qRound(clicked.x())) on_click(i);
    });
  }
  return marks;
}

QLogValueAxis* makeSplitAxis(const std::vector<SweepPoint>& points, const look::Palette& palette) {
  auto* axis = new QLogValueAxis;
  axis->setBase(2);
  axis->setRange(points.front().split_size / 1.25, points.back().split_size * 1.25);
  axis->setTitleText(ChartTexts::tr("Micro-batch size (samples)"));
  styleAxis(*axis, palette);
  axis->setLabelFormat(" ");
  axis->setGridLineVisible(false);
  axis->setLineVisible(
      false);  // its ticks would stand at powers of two; SweepMarks draws the line with ticks at the split sizes
  return axis;
}

/// "4 1.20 s measured, 1.15 s predicted"
QString pointWords(const SweepPoint& point) {
  QStringList times;
  if (point.measured) times << ChartTexts::tr("%1 measured").arg(secondsText(*point.measured));
  if (point.predicted) times << ChartTexts::tr("%1 predicted").arg(secondsText(*point.predicted));
  return ChartTexts::tr("%1 %2").arg(QString::number(point.split_size), times.join(QStringLiteral(", ")));
}

}  // namespace

QString sweepWords(const std::vector<SweepPoint>& points) {
  if (points.empty()) return {};
  QStringList words;
  for (const SweepPoint& point : points) words << pointWords(point);
  return ChartTexts::tr("Step time of %1 micro-batch sizes from %2 to %3: %4.")
      .arg(points.size())
      .arg(points.front().split_size)
      .arg(points.back().split_size)
      .arg(look::spokenList(words, QStringLiteral("; ")));
}

std::optional<Interval> whiskerOf(const SweepPoint& point) {
  if (point.steps.ci95) return point.steps.ci95;
  if (point.steps.n < 2) return std::nullopt;
  return Interval{point.steps.mean - point.steps.std, point.steps.mean + point.steps.std};
}

std::unique_ptr<QChart> makeSweepChart(const std::vector<SweepPoint>& points, const look::Palette& palette,
                                       const std::function<void(std::size_t)>& on_click) {
  auto chart = makeChart(palette);
  if (points.empty()) return chart;
  auto* seconds = makeValueAxis(ChartTexts::tr("Step time (s)"), "%g", palette);
  seconds->setRange(0, highest(points) * kRoomAbove);
  seconds->setTickInterval(niceInterval(seconds->max(), 5));
  chart->addAxis(makeSplitAxis(points, palette), Qt::AlignBottom);
  chart->addAxis(seconds, Qt::AlignLeft);
  auto* predicted = makePredicted(points, palette);
  auto* measured = makeMeasured(points, palette, on_click);
  for (QXYSeries* series : std::initializer_list<QXYSeries*>{predicted, measured}) {
    addSeries(*chart, series);
    if (series->count() == 0) series->setVisible(false);
  }
  new SweepMarks(chart.get(), palette, predicted, points);
  return chart;
}

}  // namespace lanelab
