// SPDX-License-Identifier: GPL-3.0-only
// The critical path as one line over the timeline: along each lane while it computes, across to the next one where it
// waits for that.
#pragma once

#include <QPainter>

#include "profiler/analysis/critical_path.h"
#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"

namespace lanelab {

class PathPainter {
 public:
  PathPainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range, const look::Palette& palette);
  /// Of the steps in view.
  void paint(QPainter& painter, const std::vector<CriticalPath>& paths) const;

 private:
  void paintPath(QPainter& painter, const CriticalPath& path) const;
  double middleOf(int lane) const;

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  TimeScale m_scale;
};

}  // namespace lanelab
