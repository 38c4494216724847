// SPDX-License-Identifier: GPL-3.0-only
// Time against memory: a pipeline with every schedule that fits its lanes, with each kind of recompute. Times are
// predicted, peaks are the memory forecast's; nothing is trained. Pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/advise/step_predictor.h"
#include "engine/experiment/device_info.h"

namespace lanelab {

/// A way to run the variant.
struct CurvePoint {
  VariantConfig variant;                  ///< the present one with the change, under its own name
  Recompute recompute = Recompute::None;  ///< of all stages
  double step_seconds = 0;
  std::optional<ForecastRange> range;  ///< of step_seconds
  std::int64_t peak_bytes = 0;         ///< of the lane that takes most
  LaneId largest_lane;
  bool on_front = false;                    ///< no other is at least as fast and as small, and better in one of them
  bool fits = true;                         ///< within the limits of the lanes and the memory of the devices
  bool present = false;                     ///< the variant does this as it is
  std::shared_ptr<const Resolution> alone;  ///< of `variant` by itself, with a plan

  const ResolvedVariant& resolved() const { return alone->variants().front(); }
};

/// By peak, then by time. Schedules for several stages per lane cut the stages as setSchedule() does; those that the
/// model does not allow are left out, and kinds of recompute, too. `devices` (empty: not looked at) have the memory
/// that points may take besides the limits of the lanes. BadInput: a variant that is not a pipeline of several stages,
/// block times of another network.
Result<std::vector<CurvePoint>> memoryCurve(const Resolution& resolution, const ResolvedVariant& variant,
                                            const StepPredictor& predictor,
                                            const std::vector<DeviceInfo>& devices = {});

/// Whether two variants do the same actions on the same stages, in the same modes and window.
bool doTheSame(const ResolvedVariant& a, const ResolvedVariant& b);

/// Of a point's stages, in a word or two: "none", "activations", "whole stages".
std::string recomputeWords(const CurvePoint& point);

}  // namespace lanelab
