// SPDX-License-Identifier: GPL-3.0-only
// What the rows of a timeline are drawn on: pixels in memory, or any QPainter. What is drawn is decided by RowPainter
// alone, in whole logical pixels and opaque colours, so that both give the same picture.
#pragma once

#include <QColor>
#include <QRect>
#include <optional>
#include <vector>

#include "ui/timeline/layout/label_cache.h"

namespace lanelab {

/// Of the hatch of idle time.
inline constexpr int kIdleSpacing = 7;

/// Parallel diagonal lines over a fill.
struct Hatch {
  QRgb lines = 0;
  int spacing = 0;  ///< pixels
};

/// A row's many one-pixel columns and narrow bars, standing on the row's bottom; by pixel column.
class ColumnProfile {
 public:
  explicit ColumnProfile(const QRect& area) : m_area(area) {}
  const QRect& area() const { return m_area; }
  bool empty() const { return m_heights.empty(); }
  /// From x0 to before x1, `height` pixels high, as far as that is in the area; a later one takes the place of an
  /// earlier one.
  void set(int x0, int x1, int height, QRgb color);
  const std::vector<int>& heights() const { return m_heights; }
  const std::vector<QRgb>& colors() const { return m_colors; }

 private:
  QRect m_area;
  std::vector<int> m_heights;  ///< once anything was set
  std::vector<QRgb> m_colors;
};

struct LabelOrder {
  LabelKey key;
  QRectF room;
  double margin = 0;
  std::optional<QRgb> plate;  ///< fills what lies behind the text, half the margin to its left and right
};

class RowSurface {
 public:
  virtual ~RowSurface() = default;
  virtual void fill(const QRect& rect, QRgb color) = 0;
  /// The idle pieces of a row over the whole body width, the same in every row of a picture.
  virtual void idle(const QRect& row) = 0;
  /// `inner` lies in `rect`, whose edge becomes the outline.
  virtual void bar(const QRect& rect, QRgb outline, const QRect& inner, QRgb fill,
                   const std::optional<Hatch>& hatch) = 0;
  virtual void columns(const ColumnProfile& profile) = 0;
  /// Where it has room, else not at all.
  virtual void label(const LabelOrder& order) = 0;
};

/// What lies behind a label with a plate.
QRect plateOf(const LabelOrder& order, const LabelPlace& place);

}  // namespace lanelab
