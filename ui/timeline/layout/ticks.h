// SPDX-License-Identifier: GPL-3.0-only
// The ruler's arithmetic: steps of 1, 2 or 5 times a power of ten, and times as text with as many digits as the step
// needs.
#pragma once

#include <QString>
#include <vector>

#include "ui/timeline/model/coordinates.h"

namespace lanelab {

/// The smallest step of 1, 2 or 5 times a power of ten nanoseconds that is at least `pixels` wide; 1 for a degenerate
/// scale.
Nanoseconds tickStep(const TimeScale& scale, double pixels);
/// Multiples of `step` counted from `zero` that lie within the range.
std::vector<Nanoseconds> tickTimes(TimeRange range, Nanoseconds step, Nanoseconds zero);
/// 1500000 with step 500000 is "1.5 ms": the unit and the digits follow the step, so that all labels of a ruler look
/// alike.
QString tickText(Nanoseconds time, Nanoseconds step);
/// Three significant figures: "12.3 ms".
QString durationText(Nanoseconds duration);
/// "1.20 s to 1.85 s", counted from `zero`: both in one unit, with digits enough to tell how long it is.
QString rangeText(TimeRange range, Nanoseconds zero);
/// 0.834 is "83 %"; above zero but below half a per cent it is "< 1 %".
QString shareText(double share);

}  // namespace lanelab
