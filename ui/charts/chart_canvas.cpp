// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/chart_canvas.h"

#include <QAbstractAxis>
#include <QEvent>
#include <QFontInfo>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QValueAxis>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace lanelab {

namespace {

constexpr qreal kTickWidth = 56;  ///< a label such as "0.0025" with air
constexpr qreal kTickHeight = 24;
constexpr qreal kAroundPlot = 64;  ///< legend, axis title and labels above and below a plot

}  // namespace

QFont pixelFont(QFont font) {
  font.setPixelSize(QFontInfo(font).pixelSize());
  return font;
}

std::unique_ptr<QChart> makeChart(const look::Palette& palette) {
  auto chart = std::make_unique<QChart>();
  chart->setAnimationOptions(QChart::NoAnimation);
  chart->setBackgroundBrush(palette.surface);
  chart->setBackgroundPen(Qt::NoPen);
  chart->setBackgroundRoundness(0);
  chart->setDropShadowEnabled(false);
  chart->setMargins(QMargins(look::kGrid, look::kGrid, look::kGrid, look::kGrid));
  chart->layout()->setContentsMargins(0, 0, 0, 0);
  chart->legend()->setFont(pixelFont(look::smallFont()));
  chart->legend()->setLabelColor(palette.text);
  chart->legend()->setAlignment(Qt::AlignTop);
  return chart;
}

void styleAxis(QAbstractAxis& axis, const look::Palette& palette) {
  axis.setLabelsFont(pixelFont(look::smallFont()));
  axis.setLabelsColor(palette.text);
  axis.setTitleFont(pixelFont(look::smallFont()));
  axis.setTitleBrush(palette.muted_text);
  axis.setLinePen(QPen(palette.line, 1));
  axis.setGridLinePen(QPen(palette.grid, 1));
}

QValueAxis* makeValueAxis(const QString& title, const char* format, const look::Palette& palette) {
  auto* axis = new QValueAxis;
  axis->setTickType(QValueAxis::TicksDynamic);
  axis->setTickAnchor(0);
  axis->setLabelFormat(QLatin1String(format));
  axis->setTitleText(title);
  styleAxis(*axis, palette);
  return axis;
}

QValueAxis* makeCountAxis(const QString& title, std::size_t count, const look::Palette& palette) {
  QValueAxis* const axis = makeValueAxis(title, "%d", palette);
  axis->setRange(0.5, static_cast<double>(count) + 0.5);
  axis->setTickAnchor(count > 10 ? 0 : 1);
  axis->setGridLineVisible(false);
  return axis;
}

void addSeries(QChart& chart, QAbstractSeries* series) {
  chart.addSeries(series);
  for (QAbstractAxis* axis : chart.axes()) series->attachAxis(axis);
}

double niceInterval(double span, int most) {
  const double least = span / most;
  if (!(least > 0) || !std::isfinite(least)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= least) return step * power;
  return 10 * power;
}

/// By the chart's own size, not the plot area's: that one follows from the labels, and would swing with them.
void spreadTicks(QChart& chart, QValueAxis& axis, Qt::Orientation along, bool whole) {
  const auto spread = [&chart, &axis, along, whole] {
    const bool across = along == Qt::Horizontal;
    const qreal room =
        across ? chart.size().width() - chart.margins().left() - kTickWidth : chart.size().height() - kAroundPlot;
    const int most = std::clamp(static_cast<int>(room / (across ? kTickWidth : kTickHeight)), 1, 8);
    double interval = niceInterval(axis.max() - axis.min(), most);
    if (whole) interval = std::max(1.0, interval);
    if (interval != axis.tickInterval()) axis.setTickInterval(interval);
  };
  QObject::connect(&chart, &QGraphicsWidget::geometryChanged, &axis, spread);
  QObject::connect(&axis, &QValueAxis::rangeChanged, &axis, spread);
  spread();
}

ChartMarks::ChartMarks(QChart* chart, look::Palette palette)
    : QGraphicsItem(chart), m_chart(chart), m_palette(std::move(palette)) {
  setZValue(100);
  setAcceptedMouseButtons(Qt::NoButton);
  QObject::connect(chart, &QChart::plotAreaChanged, chart, [this] { update(); });
}

void ChartMarks::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  if (m_chart->plotArea().isEmpty()) return;
  painter->setRenderHint(QPainter::Antialiasing);
  draw(*painter);
}

void paintChart(std::unique_ptr<QChart> chart, QPainter& painter, const QRectF& rect) {
  QGraphicsScene scene;
  QChart* shown = chart.release();
  scene.addItem(shown);
  shown->resize(rect.size());
  shown->layout()->activate();
  const look::PainterScope scope(painter, /*antialiased=*/true);
  scene.render(&painter, rect, QRectF(QPointF(0, 0), rect.size()), Qt::IgnoreAspectRatio);
}

ChartCanvas::ChartCanvas(const char* name, const QString& accessible_name) {
  setObjectName(QLatin1String(name));
  setAccessibleName(accessible_name);
  setFocusPolicy(Qt::NoFocus);
  setRenderHint(QPainter::Antialiasing);
  setFrameShape(QFrame::NoFrame);
  setRubberBand(NoRubberBand);
  setBackgroundBrush(look::current().surface);
}

void ChartCanvas::showChart(std::unique_ptr<QChart> chart, const QString& words) {
  if (words != accessibleDescription()) setAccessibleDescription(words);
  const std::unique_ptr<QChart> before(this->chart());
  setBackgroundBrush(look::current().surface);
  setChart(chart.release());
}

void ChartCanvas::changeEvent(QEvent* event) {
  QChartView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) Q_EMIT paletteChanged();
}

/// A press that the mouse grab sends from outside the view has no item below, which QChartView of Qt 6.4 takes for
/// granted. What it adds to QGraphicsView is the rubber band, which is off.
void ChartCanvas::mousePressEvent(QMouseEvent* event) { QGraphicsView::mousePressEvent(event); }

void ChartCanvas::wheelEvent(QWheelEvent* event) { event->ignore(); }

}  // namespace lanelab
