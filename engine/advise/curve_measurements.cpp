// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/curve_measurements.h"

#include <algorithm>

#include "base/csv.h"
#include "base/quantile.h"

namespace lanelab {
namespace {

TrainingConfig withoutNumbers(TrainingConfig training) {
  const TrainingConfig plain;
  training.seed = plain.seed;
  training.lr = plain.lr;
  training.recompute = plain.recompute;  // of each variant, which are compared by themselves
  training.step_barrier = plain.step_barrier;
  return training;
}

bool sameKinds(const std::vector<LaneConfig>& a, const std::vector<LaneConfig>& b) {
  return std::ranges::equal(a, b, [](const LaneConfig& one, const LaneConfig& other) {
    return one.device == other.device && one.threads == other.threads && one.rank == other.rank;
  });
}

/// The lane that took most; a peak of 0 where none was measured.
void setPeak(const std::vector<LaneRecord>& lanes, MeasuredPoint& measured) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane].peak_bytes <= measured.peak_bytes) continue;
    measured.peak_bytes = lanes[lane].peak_bytes;
    measured.largest_lane = LaneId(lane);
  }
}

/// Of a point, and what a run measured of it; null: nothing.
void addRow(CsvTable& table, const CurvePoint& point, const MeasuredPoint* measured) {
  table.text(toWord(point.variant.schedule))
      .text(recomputeWords(point))
      .text(toWord(windowKindOf(point.resolved().stepBarrier())))
      .exact(point.step_seconds)
      .integer(point.peak_bytes)
      .integer(point.largest_lane.value)
      .integer(point.on_front)
      .integer(point.fits)
      .integer(point.present);
  if (measured != nullptr) {
    table.text(measured->run).text(measured->variant).exact(measured->step_seconds);
    table.integer(measured->repeats).integer(measured->peak_bytes);
  } else {
    for (int cell = 0; cell < 5; ++cell) table.number("");
  }
  const ForecastRange range = point.range.value_or(ForecastRange{});
  table.exact(range.low, point.range.has_value()).exact(range.high, point.range.has_value()).endRow();
}

}  // namespace

bool stepsCompare(const Experiment& a, const Experiment& b) {
  return a.model == b.model && a.data.shape == b.data.shape && a.data.batch == b.data.batch &&
         a.data.source == b.data.source && withoutNumbers(a.training) == withoutNumbers(b.training) &&
         sameKinds(a.lanes, b.lanes);
}

std::vector<MeasuredPoint> measuredPoints(const std::vector<CurvePoint>& points, const RunRecord& record) {
  std::vector<MeasuredPoint> found;
  if (points.empty() || !stepsCompare(points.front().alone->experiment(), record.experiment)) return found;
  const auto resolution = resolve(record.experiment, points.front().alone->known());
  for (const VariantRecord& variant : record.variants) {
    const ResolvedVariant* const ran = resolution->find(variant.name);
    const std::vector<double> steps = variant.stepMedians();
    if (ran == nullptr || steps.empty()) continue;
    const auto same =
        std::ranges::find_if(points, [&](const CurvePoint& point) { return doTheSame(point.resolved(), *ran); });
    if (same == points.end()) continue;
    MeasuredPoint measured{static_cast<std::size_t>(same - points.begin()),
                           record.id,
                           variant.name,
                           medianOf(steps),
                           static_cast<int>(steps.size()),
                           0,
                           LaneId(0)};
    setPeak(variant.lanes, measured);
    if (measured.peak_bytes > 0) found.push_back(std::move(measured));
  }
  return found;
}

std::string curveCsv(const std::vector<CurvePoint>& points, const std::vector<MeasuredPoint>& measured) {
  std::string csv;
  CsvTable table(csv,
                 "schedule,recompute,window,predicted_s,predicted_peak_bytes,largest_lane,front,fits,present,run,"
                 "variant,measured_s,repeats,measured_peak_bytes,range90_low_s,range90_high_s");
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool any = false;
    for (const MeasuredPoint& one : measured) {
      if (one.point != i) continue;
      any = true;
      addRow(table, points[i], &one);
    }
    if (!any) addRow(table, points[i], nullptr);
  }
  return csv;
}

}  // namespace lanelab
