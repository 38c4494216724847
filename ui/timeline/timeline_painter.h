// Draws the lanes of a timeline and their spans; FramePainter and HeaderPainter draw what is around them. The same code for screen, PNG, SVG and
// PDF, so it cuts at the body's left and right edges by arithmetic and sets no clip; what is scrolled out of the body upwards or downwards is the
// caller's to clip.
#pragma once

#include <QPainter>

#include "ui/look/theme.h"
#include "ui/timeline/dense_strip.h"
#include "ui/timeline/label_painter.h"
#include "ui/timeline/layout.h"
#include "ui/timeline/level_of_detail.h"

namespace lanelab {

class TimelinePainter {
 public:
  TimelinePainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range, const look::Palette& palette);

  /// Lanes and spans.
  void paintBody(QPainter& painter);

 private:
  void paintGrid(QPainter& painter) const;
  void paintIdle(QPainter& painter, const QRectF& row) const;
  void paintCauses(QPainter& painter, const RowBox& box);
  QImage idleBackground(QPainter& painter, const QRectF& row);
  /// What was predicted of each visible step, pale and over the row's whole height, so that it shows below the measured bars.
  void paintPredicted(QPainter& painter, const RowBox& box) const;
  /// Where a row's bars lie; those of a compute row leave a strip free for what was predicted.
  QRectF barsOf(const RowBox& box) const;
  void paintRow(QPainter& painter, const RowBox& box, const QImage& background);
  void paintColumns(DenseStrip& strip, const RowBox& box, const RowDetail& detail) const;
  void paintBar(QPainter& painter, const QRect& rect, const Span& span, bool outlined);
  void paintLabel(QPainter& painter, const QRect& rect, const Span& span, const QColor& fill);
  QColor fillOf(const Span& span) const;
  QColor fillOf(const Column& column, bool compute) const;
  void paintFailures(QPainter& painter) const;
  void paintFailure(QPainter& painter, SpanRef ref) const;
  void paintStepLines(QPainter& painter) const;

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  TimeScale m_scale;
  Nanoseconds m_tick;
  QFont m_font;
  LabelPainter m_labels;
  QImage m_idle;  ///< behind a row, once it was painted
};

}  // namespace lanelab
