// A row's many one-pixel columns and narrow bars. On a raster surface they are written into one small image, line by line, which is several times faster than
// a rectangle each; an SVG or PDF gets the rectangles.
#pragma once

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QRect>
#include <vector>

namespace lanelab {

class DenseStrip {
 public:
  /// For one row at `area`, in whole logical pixels. With a background, an opaque image of that size, nothing has to be blended.
  DenseStrip(QPainter& painter, const QRect& area, const QImage& background = {});
  /// From x0 to before x1, `height` pixels up from the row's bottom, as far as that is in the area; a later one takes the place of an earlier one.
  void fill(int x0, int x1, int height, const QColor& color);
  /// Draws what was written; call once.
  void finish();

 private:
  void writeLine(int y);

  QPainter& m_painter;
  QRect m_area;
  bool m_raster;
  QImage m_image;               ///< the background, or made where anything was written
  std::vector<int> m_heights;   ///< by column, once anything was written
  std::vector<QRgb> m_colors;
};

}  // namespace lanelab
