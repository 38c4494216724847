// SPDX-License-Identifier: GPL-3.0-only
// Rows drawn by a QPainter: SVG, PDF, scaled pictures, screens with several device pixels a logical one.
#pragma once

#include <QPainter>

#include "ui/look/theme.h"
#include "ui/timeline/paint/row_surface.h"

namespace lanelab {

class PainterSurface : public RowSurface {
 public:
  PainterSurface(QPainter& painter, const TimelineData& data, const look::Palette& palette,
                 const std::vector<std::pair<int, int>>& idle, LabelCache& labels);
  void fill(const QRect& rect, QRgb color) override;
  void idle(const QRect& row) override;
  void bar(const QRect& rect, QRgb outline, const QRect& inner, QRgb fill, const std::optional<Hatch>& hatch) override;
  void columns(const ColumnProfile& profile) override;
  void label(const LabelOrder& order) override;

 private:
  QPainter& m_painter;
  const TimelineData& m_data;
  const look::Palette& m_palette;
  const std::vector<std::pair<int, int>>& m_idle;
  LabelCache& m_labels;
  bool m_pixels;  ///< labels are copied, not drawn as text
};

}  // namespace lanelab
