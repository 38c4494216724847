// SPDX-License-Identifier: GPL-3.0-only
// An overlay as it is drawn: curves in the units of its axes, thinned to what can be seen, and both axes. Pure; any
// thread; linear in the points.
#pragma once

#include <QPointF>
#include <QString>
#include <vector>

#include "engine/library/overlay/run_overlay.h"

namespace lanelab {

struct PlottedPoint {
  QPointF at;             ///< y may be not finite: the line has a gap there
  std::size_t point = 0;  ///< of the curve's points
};

struct PlottedCurve {
  QString name;                      ///< with what differs
  std::vector<PlottedPoint> points;  ///< that the mouse finds
  std::vector<QPointF> line;         ///< smoothed; of figures through the mean at each place
  std::vector<QPointF> raw;          ///< behind the line; empty without smoothing
  bool marked = false;               ///< points are few, or are figures: each has a mark
};

struct PlotTick {
  double at = 0;
  QString label;
};

struct PlotAxis {
  QString title;  ///< with its unit
  double low = 0, high = 1;
  bool whole = false;                ///< ticks at whole numbers only
  std::vector<PlotTick> ticks = {};  ///< fixed ones; empty: as many as there is room for
};

struct OverlayPlot {
  std::vector<PlottedCurve> curves;
  PlotAxis x, y;
};

OverlayPlot plotOf(const Overlay& overlay);

/// Of an axis without fixed ticks, at most `most` of them; the fixed ones otherwise.
std::vector<PlotTick> ticksOf(const PlotAxis& axis, int most);

}  // namespace lanelab
