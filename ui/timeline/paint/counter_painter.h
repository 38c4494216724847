// SPDX-License-Identifier: GPL-3.0-only
// Draws counters below their lanes: a thin area chart each, its least and greatest where a pixel holds several values,
// and the greatest that is in sight.
#pragma once

#include <QPainter>

#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"

namespace lanelab {

class CounterPainter {
 public:
  CounterPainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range, const look::Palette& palette);
  void paint(QPainter& painter) const;

 private:
  void paintCounter(QPainter& painter, const CounterBox& box) const;
  void paintGreatest(QPainter& painter, const QRectF& rect, const CounterRow& counter) const;

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  TimeScale m_scale;
};

}  // namespace lanelab
