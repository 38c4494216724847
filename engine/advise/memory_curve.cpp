// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/memory_curve.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "base/text_table.h"
#include "engine/experiment/edits/experiment_edits.h"
#include "engine/memory/variant_memory.h"
#include "engine/schedule/generate.h"
#include "engine/schedule/schedule_title.h"

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

std::string recomputeTitle(Recompute recompute) {
  return recompute == Recompute::Stage ? "whole stages" : toWord(recompute);
}

void setPeak(const std::vector<LaneForecast>& forecasts, CurvePoint& point) {
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
                                            const PredictVariant& predict) {
  if (variant.config().strategy != Strategy::Pipeline || variant.stages().size() < 2) {
    return Error::badInput(
        "The variant \"{}\" is not a pipeline of several stages, so schedules do not change it. Choose a pipeline.",
        variant.config().name);
  }
  std::vector<CurvePoint> points;
  for (const ScheduleKind kind : knownSchedules()) {
    for (const Recompute recompute : {Recompute::None, Recompute::Activations, Recompute::Stage}) {
      CurvePoint point{curveVariant(resolution, variant.config(), kind, recompute), recompute, 0, 0, LaneId(0), false};
      const auto alone = resolution.with(point.variant);
      const ResolvedVariant& resolved = alone->variants().front();
      if (!resolved.plan().ok()) continue;
      const Result<double> seconds = predict(resolved);
      if (!seconds.ok()) return seconds.error();
      point.step_seconds = *seconds;
      setPeak(forecastMemory(resolved), point);
      points.push_back(std::move(point));
    }
  }
  std::ranges::stable_sort(points, {}, [](const CurvePoint& p) { return std::tuple(p.peak_bytes, p.step_seconds); });
  markFront(points);
  return points;
}

std::string curveTable(const std::vector<CurvePoint>& points, WindowKind window) {
  std::vector<TextRow> rows = {
      {"Schedule", "Recompute", "Front", window == WindowKind::Period ? "Period (ms)" : "Step (ms)", "Peak", "Lane"}};
  for (const CurvePoint& point : points) {
    rows.push_back({std::string(titleOf(point.variant.schedule)), recomputeTitle(point.recompute),
                    point.on_front ? "*" : "", formatFixed(point.step_seconds * 1e3, 3), formatBytes(point.peak_bytes),
                    std::to_string(point.largest_lane.value)});
  }
  return textTable(rows, 3);
}

}  // namespace lanelab
