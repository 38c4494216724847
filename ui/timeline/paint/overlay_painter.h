// SPDX-License-Identifier: GPL-3.0-only
// What lies over the lanes and changes with the pointer: selection, hovered and current span, the box with a span's
// facts. Never exported.
#pragma once

#include <QPainter>
#include <QPointF>
#include <QString>
#include <optional>

#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/model/dependencies.h"

namespace lanelab {

struct TimelineMarks {
  std::optional<TimeRange> selection;
  std::optional<SpanRef> hovered;
  std::optional<SpanRef> current;  ///< the one that keys move
  std::vector<Arrow> arrows;       ///< of the hovered span, else of the current one
  QString failure;                 ///< why the failed action failed
  std::optional<QPointF> pointer;  ///< where the box with facts goes; none: beside the current span
};

class OverlayPainter {
 public:
  OverlayPainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range, const look::Palette& palette);
  void paint(QPainter& painter, const TimelineMarks& marks) const;

 private:
  void paintSelection(QPainter& painter, TimeRange selection) const;
  void paintFrame(QPainter& painter, SpanRef ref, const QColor& color) const;
  void paintArrow(QPainter& painter, const Arrow& arrow) const;
  const RowBox* nearestBoxOf(std::size_t row) const;
  void paintFacts(QPainter& painter, SpanRef ref, const TimelineMarks& marks) const;
  /// The visible part of a span; empty when it is out of sight.
  QRectF rectOf(SpanRef ref) const;

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  TimeScale m_scale;
};

}  // namespace lanelab
