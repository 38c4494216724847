// SPDX-License-Identifier: GPL-3.0-only
// What all charts share: words, the look of a QChart and its axes, painting one without a widget, and the widget that
// shows one.
#pragma once

#include <QChart>
#include <QChartView>
#include <QCoreApplication>
#include <QGraphicsItem>
#include <memory>

#include "ui/look/theme.h"

class QAbstractAxis;
class QAbstractSeries;
class QValueAxis;

namespace lanelab {

/// The words of charts, which are drawn by functions outside their widgets.
struct ChartTexts {
  Q_DECLARE_TR_FUNCTIONS(Charts)
};

/// The font at a fixed pixel size: a size in points would be resolved again by every paint device, and come out huge in
/// PDF.
QFont pixelFont(QFont font);

/// Without series and axes; the legend on top.
std::unique_ptr<QChart> makeChart(const look::Palette& palette);
void styleAxis(QAbstractAxis& axis, const look::Palette& palette);
/// With ticks counted from 0 on; `format` is of their labels.
QValueAxis* makeValueAxis(const QString& title, const char* format, const look::Palette& palette);
/// Of `count` steps or epochs, which count from 1; without grid lines.
QValueAxis* makeCountAxis(const QString& title, std::size_t count, const look::Palette& palette);
/// On all axes of the chart.
void addSeries(QChart& chart, QAbstractSeries* series);

/// 1, 2 or 5 times a power of ten, so that `span` holds at most `most` of it.
double niceInterval(double span, int most);

/// Keeps the axis' ticks so far apart that no label is cut, at whatever size the chart is laid out; in whole numbers
/// where `whole`.
void spreadTicks(QChart& chart, QValueAxis& axis, Qt::Orientation along, bool whole = false);

/// Lays the chart out at the rectangle's size and draws its scene there; vectors stay vectors.
void paintChart(std::unique_ptr<QChart> chart, QPainter& painter, const QRectF& rect);

/// What Qt Charts has no series for, over a chart that it belongs to. Painted again whenever the plot has moved: the
/// layout of a new chart comes in steps, and what was painted between two of them stays otherwise.
class ChartMarks : public QGraphicsItem {
 public:
  ChartMarks(QChart* chart, look::Palette palette);
  QRectF boundingRect() const override { return m_chart->rect(); }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 protected:
  /// Not before the first layout, when the plot area is empty.
  virtual void draw(QPainter& painter) const = 0;

  QChart* m_chart;
  look::Palette m_palette;
};

/// Shows one chart at a time, and asks for it again when the palette changes. Takes no focus: a table or the legend has
/// what it shows. Screen readers get its name, and words that say what is drawn.
class ChartCanvas : public QChartView {
  Q_OBJECT

 public:
  ChartCanvas(const char* name, const QString& accessible_name);
  /// `words`: what is drawn, in one to three sentences with figures, from the values that the chart was made of.
  void showChart(std::unique_ptr<QChart> chart, const QString& words);

 Q_SIGNALS:
  void paletteChanged();

 protected:
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
};

}  // namespace lanelab
