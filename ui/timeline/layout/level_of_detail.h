// SPDX-License-Identifier: GPL-3.0-only
// What is drawn of a row at one zoom: wide spans one by one, and where many share a pixel, columns as high as the row
// was busy there. So idle time never vanishes, however far out one zooms.
#pragma once

#include <vector>

#include "ui/timeline/model/coordinates.h"
#include "ui/timeline/model/rows.h"

namespace lanelab {

/// A span wide enough for a rectangle of its own; pixels are not cut at the scale's ends.
struct Bar {
  double x0 = 0;
  double x1 = 0;
  std::size_t position = 0;  ///< in Row::spans
};

/// Neighbouring pixel columns with the same utilization.
struct Column {
  int x0 = 0;  ///< whole pixels right of the scale's left end
  int x1 = 0;
  double busy = 0;  ///< 0..1 of the column's time
  ColorKind kind;   ///< of the span that is longest there
};

struct RowDetail {
  std::vector<Bar> bars;
  std::vector<Column> columns;
};

/// Spans at least this wide, in pixels, get a bar.
inline constexpr double kNarrowestBar = 3;
/// Busy shares of columns are rounded to this many levels, so that like neighbours join.
inline constexpr int kBusyLevels = 24;

/// Costs a binary search and one visit for each visible span; where they are many, a few for each pixel (BusyPyramid).
RowDetail levelOfDetail(const Row& row, const Track& track, const TimeScale& scale);

}  // namespace lanelab
