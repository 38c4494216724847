// SPDX-License-Identifier: GPL-3.0-only
#include "ui/overlay/overlay_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/charts/chart_canvas.h"
#include "ui/overlay/overlay_words.h"

namespace lanelab {

namespace {

constexpr int kColors = 6;  ///< of Palette::series()
constexpr qreal kPlotLine = 1.8, kStrongLine = 3.2, kRawLine = 1;
constexpr qreal kMarkRadius = 3;
constexpr qreal kRingRadius = 6;
constexpr double kPaleRaw = 0.7, kPaleOther = 0.75;  ///< of the way to the surface
constexpr qreal kTickRoom = 28;                      ///< of a label up and down
constexpr qreal kSampleWidth = 9 * look::kGrid;
constexpr qreal kLegendRow = 5 * look::kGrid;
constexpr QSizeF kPictureSize(960, 400);
constexpr qreal kWidestLegend = 0.36;  ///< of the figure

QFontMetricsF smallMetrics() { return QFontMetricsF(pixelFont(look::smallFont())); }

qreal widest(const std::vector<PlotTick>& ticks) {
  qreal width = 0;
  for (const PlotTick& tick : ticks) width = std::max(width, smallMetrics().horizontalAdvance(tick.label));
  return width;
}

int ticksUp(const QRectF& area) { return std::clamp(static_cast<int>(area.height() / kTickRoom), 1, 8); }

int ticksAcross(const PlotAxis& axis, const QRectF& area) {
  const qreal label = smallMetrics().horizontalAdvance(QString::number(axis.high, 'g', 6)) + 6 * look::kGrid;
  return std::clamp(static_cast<int>(area.width() / label), 1, 12);
}

void paintValues(QPainter& painter, const QRectF& rect, const look::Palette& palette, const PlotAxis& axis,
                 const PlotFrame& frame) {
  const QRectF& area = frame.area();
  for (const PlotTick& tick : ticksOf(axis, ticksUp(area))) {
    const qreal y = frame.at({0, tick.at}).y();
    painter.setPen(QPen(palette.grid, 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(palette.text);
    painter.drawText(QRectF(rect.left(), y - kTickRoom / 2, area.left() - rect.left() - look::kGrid, kTickRoom),
                     Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
  painter.setPen(palette.muted_text);
  painter.drawText(QRectF(rect.left(), rect.top(), rect.width(), area.top() - rect.top() - look::kGrid),
                   Qt::AlignLeft | Qt::AlignVCenter, axis.title);
}

/// A label that would touch the one before is left out.
void paintPlaces(QPainter& painter, const QRectF& rect, const look::Palette& palette, const PlotAxis& axis,
                 const PlotFrame& frame) {
  const QRectF& area = frame.area();
  const qreal height = smallMetrics().height();
  painter.setPen(QPen(palette.line, 1));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  qreal free_from = rect.left();
  for (const PlotTick& tick : ticksOf(axis, ticksAcross(axis, area))) {
    const qreal x = frame.at({tick.at, 0}).x(), width = smallMetrics().horizontalAdvance(tick.label) + 2;
    painter.setPen(QPen(palette.line, 1));
    painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + look::kGrid));
    if (x - width / 2 < free_from || x + width / 2 > rect.right()) continue;
    painter.setPen(palette.text);
    painter.drawText(QRectF(x - width / 2, area.bottom() + look::kGrid, width, height), Qt::AlignCenter, tick.label);
    free_from = x + width / 2 + look::kGrid;
  }
  painter.setPen(palette.muted_text);
  painter.drawText(QRectF(area.left(), area.bottom() + look::kGrid + height, area.width(), height), Qt::AlignCenter,
                   axis.title);
}

/// With a gap where a value is not finite.
QPainterPath pathOf(const std::vector<QPointF>& line, const PlotFrame& frame) {
  QPainterPath path;
  bool in_line = false;
  for (const QPointF& value : line) {
    const bool is_there = std::isfinite(value.y());
    if (is_there && in_line) path.lineTo(frame.at(value));
    if (is_there && !in_line) path.moveTo(frame.at(value));
    in_line = is_there;
  }
  return path;
}

class CurvePainter {
 public:
  CurvePainter(QPainter& painter, const look::Palette& palette, const PlotFrame& frame, int highlighted)
      : m_painter(painter), m_palette(palette), m_frame(frame), m_highlighted(highlighted) {}

  void paintRaw(const PlottedCurve& curve, int index) const {
    if (curve.raw.empty()) return;
    const QColor color = penOf(index).color();
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_palette.pale(color, kPaleRaw), kRawLine));
    m_painter.drawPath(pathOf(curve.raw, m_frame));
  }

  void paintLine(const PlottedCurve& curve, int index) const {
    const QPen pen = penOf(index);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(pen);
    m_painter.drawPath(pathOf(curve.line, m_frame));
    if (!curve.marked) return;
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(pen.color());
    for (const PlottedPoint& point : curve.points)
      if (std::isfinite(point.at.y())) m_painter.drawEllipse(m_frame.at(point.at), kMarkRadius, kMarkRadius);
  }

 private:
  QPen penOf(int index) const {
    QPen pen = curvePen(index, m_palette);
    if (index == m_highlighted) pen.setWidthF(kStrongLine);
    if (m_highlighted >= 0 && index != m_highlighted) pen.setColor(m_palette.pale(pen.color(), kPaleOther));
    return pen;
  }

  QPainter& m_painter;
  const look::Palette& m_palette;
  const PlotFrame& m_frame;
  int m_highlighted;
};

qreal legendWidth(const OverlayPlot& plot, qreal picture) {
  qreal width = 0;
  for (const PlottedCurve& curve : plot.curves) width = std::max(width, smallMetrics().horizontalAdvance(curve.name));
  return std::min(width + kSampleWidth + 3 * look::kGrid, kWidestLegend * picture);
}

void paintLegend(QPainter& painter, const QRectF& rect, const look::Palette& palette, const OverlayPlot& plot) {
  painter.setFont(pixelFont(look::smallFont()));
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const QRectF row(rect.left(), rect.top() + kLegendRow * static_cast<qreal>(i), rect.width(), kLegendRow);
    paintSample(painter, QRectF(row.left(), row.top(), kSampleWidth, row.height()), static_cast<int>(i), palette);
    const QRectF room = row.adjusted(kSampleWidth + 2 * look::kGrid, 0, 0, 0);
    painter.setPen(palette.text);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     smallMetrics().elidedText(plot.curves[i].name, Qt::ElideMiddle, room.width()));
  }
}

}  // namespace

QPen curvePen(int curve, const look::Palette& palette) {
  // In widths of the line. The first curves are solid; names beyond the colours have dashes.
  static const std::array<QList<qreal>, 9> kDashes = {QList<qreal>{}, {5, 2.5},         {1.5, 2},
                                                      {8, 2, 1.5, 2}, {12, 3},          {3, 3},
                                                      {8, 2, 3, 2},   {1.5, 2, 1.5, 5}, {8, 2, 1.5, 2, 1.5, 2}};
  QPen pen(palette.series(curve), kPlotLine);
  pen.setJoinStyle(Qt::RoundJoin);
  pen.setCapStyle(Qt::FlatCap);
  const QList<qreal>& dashes = kDashes[static_cast<std::size_t>(curve / kColors) % kDashes.size()];
  if (!dashes.isEmpty()) pen.setDashPattern(dashes);
  return pen;
}

PlotFrame::PlotFrame(const OverlayPlot& plot, const QRectF& rect) : m_plot(plot) {
  const qreal line = smallMetrics().height();
  m_area = rect.adjusted(0, line + 2 * look::kGrid, -3 * look::kGrid, -2 * line - 2 * look::kGrid);
  m_area.setLeft(rect.left() + widest(ticksOf(plot.y, ticksUp(m_area))) + 2 * look::kGrid);
}

QPointF PlotFrame::at(QPointF value) const {
  const PlotAxis &x = m_plot.x, &y = m_plot.y;
  return {m_area.left() + m_area.width() * (value.x() - x.low) / (x.high - x.low),
          m_area.bottom() - m_area.height() * (value.y() - y.low) / (y.high - y.low)};
}

std::optional<PlotPlace> PlotFrame::nearest(QPointF pixel, qreal reach) const {
  std::optional<PlotPlace> found;
  qreal least = reach * reach;
  for (std::size_t i = 0; i < m_plot.curves.size(); ++i)
    for (const PlottedPoint& point : m_plot.curves[i].points) {
      if (!std::isfinite(point.at.y())) continue;
      const QPointF way = at(point.at) - pixel;
      const qreal distance = QPointF::dotProduct(way, way);
      if (distance >= least) continue;
      least = distance;
      found = PlotPlace{static_cast<int>(i), point.point};
    }
  return found;
}

void paintPlot(QPainter& painter, const QRectF& rect, const look::Palette& palette, const OverlayPlot& plot,
               int highlighted, const std::optional<PlotPlace>& marked) {
  const look::PainterScope scope(painter, /*antialiased=*/true);
  painter.setFont(pixelFont(look::smallFont()));
  const PlotFrame frame(plot, rect);
  paintValues(painter, rect, palette, plot.y, frame);
  paintPlaces(painter, rect, palette, plot.x, frame);
  const CurvePainter curves(painter, palette, frame, highlighted);
  const auto count = static_cast<int>(plot.curves.size());
  const auto curve = [&](int i) -> const PlottedCurve& { return plot.curves[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < count; ++i) curves.paintRaw(curve(i), i);
  for (int i = 0; i < count; ++i)
    if (i != highlighted) curves.paintLine(curve(i), i);
  if (highlighted >= 0 && highlighted < count) curves.paintLine(curve(highlighted), highlighted);
  if (!marked || marked->curve >= count) return;
  for (const PlottedPoint& point : curve(marked->curve).points) {
    if (point.point != marked->point) continue;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.text, 1.5));
    painter.drawEllipse(frame.at(point.at), kRingRadius, kRingRadius);
  }
}

void paintSample(QPainter& painter, const QRectF& rect, int curve, const look::Palette& palette) {
  painter.setPen(curvePen(curve, palette));
  painter.drawLine(QPointF(rect.left(), rect.center().y()), QPointF(rect.right(), rect.center().y()));
}

Picture overlayPicture(const Overlay& overlay) {
  const OverlayPlot plot = plotOf(overlay);
  const qreal height =
      std::max(kPictureSize.height(), kLegendRow * static_cast<qreal>(plot.curves.size()) + 4 * look::kGrid);
  const auto paint = [plot](QPainter& painter, const QRectF& rect, const look::Palette& palette) {
    const qreal legend = legendWidth(plot, rect.width());
    paintPlot(painter, rect.adjusted(0, 0, -legend - 2 * look::kGrid, 0), palette, plot);
    paintLegend(painter, QRectF(rect.right() - legend, rect.top() + 2 * look::kGrid, legend, rect.height()), palette,
                plot);
  };
  return {overlay_words::heading(overlay.choice),
          overlay_words::caption(overlay),
          {kPictureSize.width(), height},
          paint,
          {},
          overlay_words::spoken(overlay)};
}

}  // namespace lanelab
