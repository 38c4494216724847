// Draws a timeline: ruler, steps, lanes, spans, legend. The same code for screen, PNG, SVG and PDF, so it cuts at the body's left and right
// edges by arithmetic and sets no clip; what is scrolled out of the body upwards or downwards is the caller's to clip.
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
  /// Ruler, step names and legend: they do not scroll.
  void paintFrame(QPainter& painter) const;
  /// Lane names and busy shares. `selected` holds each lane's busy share of the selection, or nothing.
  void paintHeaders(QPainter& painter, const std::vector<double>& selected = {}) const;

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
  void paintTicks(QPainter& painter) const;
  void paintStepNames(QPainter& painter) const;
  void paintStepName(QPainter& painter, const QString& text, TimeRange seen) const;
  Nanoseconds typicalStep() const;   ///< length with the pause after it
  void paintLegend(QPainter& painter) const;
  struct HeaderLine {
    double baseline;
    QFont font;
    QColor color;
  };
  void paintHeader(QPainter& painter, const LaneBox& lane, std::optional<double> selected) const;
  void paintHeaderLine(QPainter& painter, const HeaderLine& line, const QString& left_text, const QString& right_text, bool accent) const;

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
