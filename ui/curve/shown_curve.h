// SPDX-License-Identifier: GPL-3.0-only
// A memory curve as chart and table show it, with its words. Values; any thread.
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <vector>

#include "engine/advise/block_times.h"
#include "engine/advise/curve_measurements.h"
#include "engine/advise/memory_curve.h"

namespace lanelab {

/// A limit that points are compared with.
struct CurveLimit {
  std::int64_t bytes = 0;
  QString words;  ///< "limit of lane 1 (cpu:1)"
};

struct ShownCurve {
  std::vector<CurvePoint> points;
  std::vector<MeasuredPoint> measured;
  std::vector<CurveLimit> limits;  ///< by size, each size once
  QString variant;
  QStringList lanes;  ///< titles
  WindowKind window = WindowKind::Step;
  BlockTimes::Origin origin = BlockTimes::Origin::Recorded;
  QString day;              ///< of the block times
  bool parts_known = true;  ///< of the backward: times of its input and weight parts were measured
};

/// The limits of the variant's lanes, and the memory of GPUs without one.
std::vector<CurveLimit> curveLimits(const Experiment& experiment, const QStringList& lanes,
                                    const std::vector<DeviceInfo>& devices);

/// "V-Min", "V-Min, whole stages".
QString pointTitle(const CurvePoint& point);
/// What a table shows of the recomputed stages: "none", "activations", "whole stages".
QString recomputeTitle(const CurvePoint& point);
/// "Step time" or "Period".
QString timeTitle(WindowKind window);
/// Schedule, recompute, predicted time and peak with its lane, what was measured, whether it fits.
QString pointTip(const ShownCurve& curve, std::size_t point);
/// How many points are on the front, and how many fit.
QString curveHeadline(const ShownCurve& curve);
/// From which block times, and what of it was measured.
QString curveSource(const ShownCurve& curve);
/// What is drawn, of which window, and all of curveSource().
QString curveCaption(const ShownCurve& curve);

}  // namespace lanelab
