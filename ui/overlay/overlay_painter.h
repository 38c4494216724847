// SPDX-License-Identifier: GPL-3.0-only
// Draws an overlay's plot and legend, on screen and in exports. Curves differ by colour and, beyond the colours, by the
// dashes of their lines. Thread: GUI.
#pragma once

#include <QPen>
#include <QRectF>
#include <optional>

#include "ui/export/picture.h"
#include "ui/overlay/overlay_plot.h"

class QPainter;

namespace lanelab {

/// Of the curve with this index.
QPen curvePen(int curve, const look::Palette& palette);

/// A point of a plot: index of the curve, and of its points.
struct PlotPlace {
  int curve = 0;
  std::size_t point = 0;
  bool operator==(const PlotPlace&) const = default;
};

/// The place of a plot in a rectangle.
class PlotFrame {
 public:
  PlotFrame(const OverlayPlot& plot, const QRectF& rect);
  const QRectF& area() const { return m_area; }
  QPointF at(QPointF value) const;
  /// The point nearest to a pixel, none farther than `reach` pixels.
  std::optional<PlotPlace> nearest(QPointF pixel, qreal reach) const;

 private:
  const OverlayPlot& m_plot;
  QRectF m_area;
};

/// The others are pale beside a `highlighted` curve (-1: none); `marked` gets a ring.
void paintPlot(QPainter& painter, const QRectF& rect, const look::Palette& palette, const OverlayPlot& plot,
               int highlighted = -1, const std::optional<PlotPlace>& marked = {});

/// The short piece of a curve's line that a legend has, `rect` wide.
void paintSample(QPainter& painter, const QRectF& rect, int curve, const look::Palette& palette);

/// Plot and legend with title and caption. The overlay has a curve.
Picture overlayPicture(const Overlay& overlay);

}  // namespace lanelab
