// SPDX-License-Identifier: GPL-3.0-only
// What all charts share: the look of a QChart, painting one without a widget, and the widget that shows one.
#pragma once

#include <QChart>
#include <QChartView>
#include <memory>

#include "ui/look/theme.h"

class QAbstractAxis;
class QValueAxis;

namespace lanelab {

/// The font at a fixed pixel size: a size in points would be resolved again by every paint device, and come out huge in
/// PDF.
QFont pixelFont(QFont font);

void styleChart(QChart& chart, const look::Palette& palette);
void styleAxis(QAbstractAxis& axis, const look::Palette& palette);

/// 1, 2 or 5 times a power of ten, so that `span` holds at most `most` of it.
double niceInterval(double span, int most);

/// Keeps the axis' ticks so far apart that no label is cut, at whatever size the chart is laid out; in whole numbers
/// where `whole`.
void spreadTicks(QChart& chart, QValueAxis& axis, Qt::Orientation along, bool whole = false);

/// Lays the chart out at the rectangle's size and draws its scene there; vectors stay vectors.
void paintChart(std::unique_ptr<QChart> chart, QPainter& painter, const QRectF& rect);

/// Shows one chart at a time, and asks for it again when the palette changes.
class ChartCanvas : public QChartView {
  Q_OBJECT

 public:
  explicit ChartCanvas(QWidget* parent = nullptr);
  void showChart(std::unique_ptr<QChart> chart);

 Q_SIGNALS:
  void paletteChanged();

 protected:
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
};

}  // namespace lanelab
