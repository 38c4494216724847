// SPDX-License-Identifier: GPL-3.0-only
// One thread's hand on the pixels of an image.
#pragma once

#include <map>
#include <tuple>

#include "ui/timeline/paint/row_surface.h"

namespace lanelab {

class HatchTile;

/// Lines of 32-bit pixels that somebody else owns.
struct PixelPlane {
  QRgb* first = nullptr;
  std::ptrdiff_t stride = 0;  ///< pixels from a line to the next
  QRgb* at(int x, int y) const { return first + y * stride + x; }
};

/// What lies behind every row of a picture: a few whole lines, of which line y of the picture has the one of y modulo
/// their number.
struct IdleLines {
  int left = 0;
  std::vector<std::vector<QRgb>> lines;
};

using HatchTiles = std::map<std::tuple<QRgb, QRgb, int>, HatchTile>;

class RasterSurface : public RowSurface {
 public:
  /// Reads `labels`, `tiles` and `idle`; writes only inside `clip`.
  RasterSurface(PixelPlane pixels, const QRect& clip, const IdleLines& idle, const HatchTiles& tiles,
                const LabelCache& labels);
  void fill(const QRect& rect, QRgb color) override;
  void idle(const QRect& row) override;
  void bar(const QRect& rect, QRgb outline, const QRect& inner, QRgb fill, const std::optional<Hatch>& hatch) override;
  void columns(const ColumnProfile& profile) override;
  void label(const LabelOrder& order) override;

  /// Labels that the book did not have yet.
  const std::vector<LabelOrder>& missing() const { return m_missing; }

 private:
  void blend(const QImage& image, int left, int top);

  PixelPlane m_pixels;
  QRect m_clip;
  const IdleLines& m_idle;
  const HatchTiles& m_tiles;
  const LabelCache& m_labels;
  std::vector<LabelOrder> m_missing;
};

}  // namespace lanelab
