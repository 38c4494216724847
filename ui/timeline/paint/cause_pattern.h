// SPDX-License-Identifier: GPL-3.0-only
// How idle time is hatched in high contrast: each cause of its own, so that causes differ without colours and where
// words have no room. Whole pixels, the same on every surface.
#pragma once

#include "profiler/analysis/cause.h"
#include "ui/timeline/paint/row_painter.h"

namespace lanelab {

struct CausePattern {
  enum class Lines { Falling, Rising, Level, Upright, Crossed };
  Lines lines = Lines::Falling;
  int spacing = 0;  ///< pixels
  bool operator==(const CausePattern&) const = default;
};

/// No two causes have the same.
CausePattern patternOf(Cause cause);

/// Lines of one pixel that join those of neighbours.
void paintPattern(RowSurface& surface, const QRect& rect, const CausePattern& pattern, QRgb behind, QRgb lines);

}  // namespace lanelab
