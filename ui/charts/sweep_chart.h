// SPDX-License-Identifier: GPL-3.0-only
// The curve of a split-size sweep as a QChart: split sizes on a logarithmic axis with a tick at each, seconds a step
// from 0.
#pragma once

#include <QChart>
#include <functional>
#include <memory>
#include <vector>

#include "engine/advise/sweep.h"
#include "ui/look/theme.h"

namespace lanelab {

/// `on_click` hears the index of a measured point.
std::unique_ptr<QChart> makeSweepChart(const std::vector<SweepPoint>& points, const look::Palette& palette,
                                       const std::function<void(std::size_t)>& on_click = {});

/// "Step time of 4 micro-batch sizes from 1 to 12: 1 3.90 s predicted; 4 1.20 s measured, 1.15 s predicted; ..."
QString sweepWords(const std::vector<SweepPoint>& points);

/// The whisker of a measured point: its 95 % interval, below five repeats one standard deviation to each side; none of
/// a single repeat.
std::optional<Interval> whiskerOf(const SweepPoint& point);

}  // namespace lanelab
