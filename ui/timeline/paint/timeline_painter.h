// SPDX-License-Identifier: GPL-3.0-only
// Draws the lanes of a timeline and their spans; FramePainter and HeaderPainter draw what is around them. The same code
// for screen, PNG, SVG and PDF, so it cuts at the body's left and right edges by arithmetic and sets no clip; what is
// scrolled out of the body upwards or downwards is the caller's to clip.
#pragma once

#include <QPainter>

#include "ui/look/theme.h"
#include "ui/timeline/layout/label_cache.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/paint/row_painter.h"
#include "ui/timeline/paint/row_raster.h"

namespace lanelab {

class TimelinePainter {
 public:
  TimelinePainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range,
                  const look::Palette& palette);

  /// Lanes and spans.
  void paintBody(QPainter& painter) const;
  /// The same by way of an image's pixels, many times as fast: Format_RGB32, one device pixel a logical one, filled
  /// with the palette's surface.
  void paintBody(QImage& image, const QRect& clip, RowRaster& raster, LabelCache& labels) const;

 private:
  void paintGrid(QPainter& painter) const;
  void paintMarks(QPainter& painter) const;
  void paintFailures(QPainter& painter) const;
  void paintFailure(QPainter& painter, SpanRef ref) const;
  void paintStepLines(QPainter& painter) const;

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  TimeScale m_scale;
  Nanoseconds m_tick;
  QFont m_font;
  RowPainter m_rows;
};

}  // namespace lanelab
