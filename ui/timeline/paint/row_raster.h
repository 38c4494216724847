// SPDX-License-Identifier: GPL-3.0-only
// Rows written straight into an image's pixels, on several threads: several times as fast as a QPainter, and the same
// picture.
#pragma once

#include <QImage>
#include <map>
#include <tuple>

#include "ui/timeline/paint/paint_pool.h"
#include "ui/timeline/paint/row_painter.h"

namespace lanelab {

/// An opaque hatched plane: its lines lie where look::hatch() lays them.
class HatchTile {
 public:
  HatchTile(QRgb fill, const Hatch& hatch);
  /// Writes the plane's pixels (x, y) to (x + count - 1, y).
  void write(QRgb* to, int x, int y, int count) const;

 private:
  int m_spacing;
  QImage m_pixels;
};

/// By fill, lines and spacing.
using HatchTiles = std::map<std::tuple<QRgb, QRgb, int>, HatchTile>;

/// Kept between pictures, with what they share. GUI thread.
class RowRaster {
 public:
  /// `image`: Format_RGB32, one device pixel a logical one, on which the background of all rows is painted. Writes only
  /// inside `clip`.
  void paint(QImage& image, const QRect& clip, const RowPainter& rows, LabelCache& labels);
  /// Fills all of the image.
  void clear(QImage& image, QRgb color);

 private:
  const HatchTile& tileOf(QRgb fill, const Hatch& hatch);

  PaintPool m_pool;
  HatchTiles m_tiles;
};

}  // namespace lanelab
