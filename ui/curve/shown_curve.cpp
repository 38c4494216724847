// SPDX-License-Identifier: GPL-3.0-only
#include "ui/curve/shown_curve.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/memory/variant_memory.h"
#include "ui/experiment/schedule_title.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"

namespace lanelab {
namespace {

struct CurveTexts {
  Q_DECLARE_TR_FUNCTIONS(MemoryCurve)
};

QString laneWords(const QStringList& lanes, int lane) {
  return CurveTexts::tr("lane %1 (%2)").arg(lane).arg(lanes.value(lane));
}

QString periodOrStep(WindowKind window) {
  return window == WindowKind::Period ? CurveTexts::tr("from step to step, without a step barrier")
                                      : CurveTexts::tr("step time, with a step barrier");
}

bool anySplits(const ShownCurve& curve) {
  return std::ranges::any_of(curve.points,
                             [](const CurvePoint& point) { return splitsBackward(point.resolved().plan()->schedule); });
}

}  // namespace

std::vector<CurveLimit> curveLimits(const Experiment& experiment, const QStringList& lanes,
                                    const std::vector<DeviceInfo>& devices) {
  std::vector<CurveLimit> limits;
  for (std::size_t lane = 0; lane < experiment.lanes.size(); ++lane) {
    const LaneConfig& config = experiment.lanes[lane];
    std::int64_t bytes = config.memoryLimit();
    if (bytes == 0 && !config.device.isCpu()) bytes = memoryThere(memoryOfDevice(config.device), devices);
    if (bytes == 0) continue;
    const auto same = std::ranges::find(limits, bytes, &CurveLimit::bytes);
    if (same == limits.end())
      limits.push_back({bytes, CurveTexts::tr("limit of %1").arg(laneWords(lanes, static_cast<int>(lane)))});
    else
      same->words = CurveTexts::tr("limit of several lanes");
  }
  std::ranges::sort(limits, {}, &CurveLimit::bytes);
  return limits;
}

QString recomputeTitle(const CurvePoint& point) {
  switch (point.recompute) {
    case Recompute::None: return CurveTexts::tr("none");
    case Recompute::Activations: return CurveTexts::tr("activations");
    case Recompute::Stage: return CurveTexts::tr("whole stages");
  }
  return {};
}

QString pointTitle(const CurvePoint& point) {
  const QString schedule = scheduleTitle(point.variant.schedule);
  return point.recompute == Recompute::None ? schedule : QStringLiteral("%1, %2").arg(schedule, recomputeTitle(point));
}

QString timeTitle(WindowKind window) {
  return window == WindowKind::Period ? CurveTexts::tr("Period") : CurveTexts::tr("Step time");
}

QString pointTip(const ShownCurve& curve, std::size_t index) {
  const CurvePoint& point = curve.points[index];
  QStringList lines{
      CurveTexts::tr("%1, recompute: %2").arg(scheduleTitle(point.variant.schedule), recomputeTitle(point))};
  if (point.present) lines << CurveTexts::tr("The variant as it is");
  lines << CurveTexts::tr("Predicted: %1 (%2)").arg(secondsText(point.step_seconds), periodOrStep(curve.window));
  if (point.range) lines << CurveTexts::tr("90 % range: %1").arg(look::shownText(rangeText(*point.range)));
  if (point.recompute == Recompute::Activations) lines << CurveTexts::tr("The time of recomputed ReLUs is estimated");
  lines << CurveTexts::tr("Predicted peak: %1 on %2, the highest of all lanes")
               .arg(bytesText(point.peak_bytes), laneWords(curve.lanes, point.largest_lane.value));
  for (const MeasuredPoint& one : curve.measured) {
    if (one.point != index) continue;
    lines << CurveTexts::tr("Measured: %1 (median step, n = %2), peak %3 on %4, run %5")
                 .arg(secondsText(one.step_seconds))
                 .arg(one.repeats)
                 .arg(bytesText(one.peak_bytes), laneWords(curve.lanes, one.largest_lane.value),
                      look::shownName(one.run));
  }
  if (!point.fits) lines << CurveTexts::tr("Above a memory limit");
  return lines.join('\n');
}

QString curveHeadline(const ShownCurve& curve) {
  const auto front = std::ranges::count_if(curve.points, &CurvePoint::on_front);
  const auto fitting = std::ranges::count_if(curve.points, &CurvePoint::fits);
  QString words = CurveTexts::tr("%1 of %2 combinations are on the Pareto front: no other is both faster and smaller.")
                      .arg(front)
                      .arg(curve.points.size());
  if (fitting < static_cast<std::ptrdiff_t>(curve.points.size()))
    words += ' ' + CurveTexts::tr("%1 fit in memory.").arg(fitting);
  return words;
}

QString curveSource(const ShownCurve& curve) {
  QString words = curve.origin == BlockTimes::Origin::Traced
                      ? CurveTexts::tr("Predicted from the block times of the shown run")
                      : CurveTexts::tr("Predicted from recorded block times");
  if (!curve.day.isEmpty()) words += QStringLiteral(" (%1)").arg(curve.day);
  words = CurveTexts::tr("%1. Line: the Pareto front.").arg(words) + ' ';
  words += curve.measured.empty() ? CurveTexts::tr("No stored run of this machine has measured one of these.")
                                  : CurveTexts::tr("Filled: measured by stored runs (median step, highest peak).");
  if (!curve.parts_known && anySplits(curve))
    words += ' ' + CurveTexts::tr("The parts of the backward were not measured: each is taken as half of it.");
  return words;
}

QString curveCaption(const ShownCurve& curve) {
  const QString time = curve.window == WindowKind::Period
                           ? CurveTexts::tr("period from step to step, without a step barrier")
                           : CurveTexts::tr("step time with a step barrier");
  const QString drawn = CurveTexts::tr("%1: %2, and the highest peak memory of a lane (forecast).")
                            .arg(look::shownName(curve.variant.toStdString()), time);
  return QStringLiteral("%1 %2").arg(drawn, curveSource(curve));
}

}  // namespace lanelab
