// SPDX-License-Identifier: GPL-3.0-only
// Draws what stands above and below the lanes and does not scroll: ruler, step names and legend. The same for screen,
// PNG, SVG and PDF.
#pragma once

#include <QPainter>

#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"

namespace lanelab {

inline constexpr double kTickPixels = 90;           ///< the least between two ticks of the ruler
inline constexpr double kPredictedPaleness = 0.55;  ///< of what was predicted, from its colour to the surface

class FramePainter {
 public:
  FramePainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range, const look::Palette& palette);
  void paint(QPainter& painter) const;

 private:
  void paintTicks(QPainter& painter) const;
  void paintStepNames(QPainter& painter) const;
  void paintStepName(QPainter& painter, const QString& text, TimeRange seen) const;
  Nanoseconds typicalStep() const;  ///< length with the pause after it
  bool exchanges() const;
  void paintLegend(QPainter& painter) const;

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  TimeScale m_scale;
  Nanoseconds m_tick;
  QFont m_font;
};

}  // namespace lanelab
