// SPDX-License-Identifier: GPL-3.0-only
// What is seen of a trace as a window in a strip of all of it: where it is, what of it a hand holds, and what becomes
// of it then. Pure; logical pixels.
#pragma once

#include "ui/timeline/model/coordinates.h"

namespace lanelab {

enum class OverviewPart { Outside, Window, LeftEdge, RightEdge };

struct OverviewWindow {
  TimeScale strip;  ///< all of the trace
  TimeRange seen;

  /// Of the window within the strip; a very narrow one is drawn wide enough to be found.
  double left() const;
  double right() const;
  /// A window too narrow to have edges is held as a whole.
  OverviewPart partAt(double x) const;

  TimeRange centredAt(double x) const;
  TimeRange movedBy(double pixels) const;
  /// With that edge at `x`, and the other where it was; a pixel of the strip at least.
  TimeRange pulled(OverviewPart edge, double x) const;
};

}  // namespace lanelab
