// A row's many one-pixel columns and narrow bars. On a raster surface they are written into one small image, which is several times faster than
// a rectangle each; an SVG or PDF gets the rectangles.
#pragma once

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QRect>

namespace lanelab {

class DenseStrip {
 public:
  /// For one row at `area`, in whole logical pixels.
  DenseStrip(QPainter& painter, const QRect& area);
  /// The part of `rect` that lies in the row's area; opaque colours.
  void fill(const QRect& rect, const QColor& color);
  /// Draws what was written; call once.
  void finish();

 private:
  QPainter& m_painter;
  QRect m_area;
  bool m_raster;
  QImage m_image;      ///< made at the first fill
  QRgb* m_pixels = nullptr;
};

}  // namespace lanelab
