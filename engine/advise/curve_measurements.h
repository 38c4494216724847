// SPDX-License-Identifier: GPL-3.0-only
// What runs measured of the points of a memory curve: the median step and the highest peak of variants that did the
// same. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "engine/advise/memory_curve.h"
#include "engine/record/run_record.h"

namespace lanelab {

/// Seconds are of the point's window; without a step barrier the steps of a repeat follow each other at their period.
struct MeasuredPoint {
  std::size_t point = 0;    ///< index of the curve's point
  std::string run;          ///< its id
  std::string variant;      ///< its name in that run
  double step_seconds = 0;  ///< median of the repeats' median steps
  int repeats = 0;
  std::int64_t peak_bytes = 0;  ///< of the lane that took most
  LaneId largest_lane;
};

/// Whether a step of one costs what a step of the other does, variants aside: the same network, batch, arithmetic and
/// kinds of lanes. Seeds, learning rates and memory limits may differ.
bool stepsCompare(const Experiment& a, const Experiment& b);

/// One for each variant of the run that does what a point does and has a counted repeat with a measured peak. None of a
/// run whose steps do not compare with those of the curve's experiment. The caller sees to it that the run is of this
/// machine.
std::vector<MeasuredPoint> measuredPoints(const std::vector<CurvePoint>& points, const RunRecord& record);

/// RFC 4180: schedule,recompute,window,predicted_s,predicted_peak_bytes,largest_lane,front,fits,present,run,variant,
/// measured_s,repeats,measured_peak_bytes,range90_low_s,range90_high_s; a row for each measurement of a point, or one
/// with nothing measured.
std::string curveCsv(const std::vector<CurvePoint>& points, const std::vector<MeasuredPoint>& measured);

}  // namespace lanelab
