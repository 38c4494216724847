// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/memory_curve.h"

#include <algorithm>
#include <tuple>

#include "engine/experiment/edits/placement_edits.h"
#include "engine/memory/variant_memory.h"
#include "engine/schedule/generate.h"

namespace lanelab {
namespace {

/// With another schedule, and all stages recomputing alike.
VariantConfig curveVariant(const Resolution& resolution, const VariantConfig& present, ScheduleKind kind,
                           Recompute recompute) {
  VariantConfig changed = present;
  setSchedule(resolution.experiment(), resolution.model(), kind, changed);
  changed.recompute = recompute;
  return changed;
}

void setMemory(const std::vector<LaneForecast>& forecasts, const std::vector<DeviceInfo>& devices, CurvePoint& point) {
  point.fits = fitsLanes(point.alone->experiment(), forecasts, devices);
  for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
    const std::int64_t bytes = forecasts[lane].at_peak.total();
    if (bytes <= point.peak_bytes) continue;
    point.peak_bytes = bytes;
    point.largest_lane = LaneId(lane);
  }
}

/// Of points by peak, then by time: the front goes down in time.
void markFront(std::vector<CurvePoint>& points) {
  const CurvePoint* fastest = nullptr;
  for (CurvePoint& point : points) {
    const bool equal =
        fastest && point.peak_bytes == fastest->peak_bytes && point.step_seconds == fastest->step_seconds;
    point.on_front = !fastest || equal || point.step_seconds < fastest->step_seconds;
    if (point.on_front) fastest = &point;
  }
}

}  // namespace

Result<std::vector<CurvePoint>> memoryCurve(const Resolution& resolution, const ResolvedVariant& variant,
                                            const StepPredictor& predictor, const std::vector<DeviceInfo>& devices) {
  if (variant.config().strategy != Strategy::Pipeline || variant.stages().size() < 2) {
    return Error::badInput(
        "The variant \"{}\" is not a pipeline of several stages, so schedules do not change it. Choose a pipeline.",
        variant.config().name);
  }
  if (!predictor.knows(variant)) return Error::badInput("The block times are of another network.");
  std::vector<CurvePoint> points;
  for (const ScheduleKind kind : knownSchedules()) {
    for (const Recompute recompute : {Recompute::None, Recompute::Activations, Recompute::Stage}) {
      CurvePoint point;
      point.variant = curveVariant(resolution, variant.config(), kind, recompute);
      point.recompute = recompute;
      point.alone = resolution.with(point.variant);
      if (!point.resolved().plan().ok()) continue;
      const auto timed = predictor.ordered(point.resolved());
      const PredictedTime step = predictor.step(*(timed ? timed->variants().front() : point.resolved()).plan());
      point.step_seconds = step.seconds;
      point.range = step.range;
      setMemory(forecastMemory(point.resolved()), devices, point);
      point.present = doTheSame(point.resolved(), variant);
      points.push_back(std::move(point));
    }
  }
  std::ranges::stable_sort(points, {}, [](const CurvePoint& p) { return std::tuple(p.peak_bytes, p.step_seconds); });
  markFront(points);
  return points;
}

bool doTheSame(const ResolvedVariant& a, const ResolvedVariant& b) {
  if (!a.plan().ok() || !b.plan().ok()) return false;
  const VariantPlan &one = *a.plan(), &other = *b.plan();
  return one.schedule == other.schedule && one.stages == other.stages && one.micro_batches == other.micro_batches &&
         a.modes() == b.modes() && windowKindOf(a.stepBarrier()) == windowKindOf(b.stepBarrier());
}

std::string recomputeWords(const CurvePoint& point) {
  return point.recompute == Recompute::Stage ? "whole stages" : toWord(point.recompute);
}

}  // namespace lanelab
