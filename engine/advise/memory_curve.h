// SPDX-License-Identifier: GPL-3.0-only
// Time against memory: a pipeline with every schedule that fits its lanes, with each kind of recompute. Times are
// predicted by the caller, peaks are the memory forecast's; nothing is trained. Pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

/// A way to run the variant.
struct CurvePoint {
  VariantConfig variant;                  ///< the present one with the change, under its own name
  Recompute recompute = Recompute::None;  ///< of all stages
  double step_seconds = 0;
  std::int64_t peak_bytes = 0;  ///< of the lane that takes most
  LaneId largest_lane;
  bool on_front = false;  ///< no other is at least as fast and as small, and better in one of them
};

/// Predicted seconds of a step, in its own window, of a variant that has a plan.
using PredictVariant = std::function<Result<double>(const ResolvedVariant& variant)>;

/// By peak, then by time. Schedules for several stages per lane cut the stages as setSchedule() does; those that the
/// model does not allow are left out, and kinds of recompute, too. Errors: a variant that is not a pipeline of several
/// stages (BadInput), those of `predict`.
Result<std::vector<CurvePoint>> memoryCurve(const Resolution& resolution, const ResolvedVariant& variant,
                                            const PredictVariant& predict);

/// For a terminal: a row for each point, those on the front marked. Times are of that window.
std::string curveTable(const std::vector<CurvePoint>& points, WindowKind window);

}  // namespace lanelab
