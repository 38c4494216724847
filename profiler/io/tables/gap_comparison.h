// SPDX-License-Identifier: GPL-3.0-only
// The idle time of two traces side by side, before and after a change. Lanes are the same if they have the same name;
// a difference is after minus before. C locale.
#pragma once

#include <string>

#include "profiler/io/tables/gap_tables.h"

namespace lanelab {

struct GapComparison {
  IdleCauses before;
  IdleCauses after;
  bool one_lane = false;  ///< each has one lane, which are compared whatever their names
};

/// A sentence if their idle times mean different things: other work, or other windows; else "".
std::string whyNotCompared(const IdleCauses& before, const IdleCauses& after);

/// Lane, windows, idle time with its difference, and utilization: a row for each lane of both, and the sums (sumOf)
/// unless these are one lane.
TableRows laneDifferenceRows(const GapComparison& compared);
/// Cause, before, after, difference, and its share of the windows: a row for each cause of the sums, the largest first,
/// then idle time, busy time and windows.
TableRows causeDifferenceRows(const GapComparison& compared);

/// How much of the windows is idle before and after, and which cause changed most.
std::string differenceSentence(const GapComparison& compared);
/// That the traces have different numbers of steps, so that times do not compare; else "".
std::string unlikeWindowsSentence(const GapComparison& compared);
/// Which lanes are in one of them only; else "".
std::string unmatchedLanesSentence(const GapComparison& compared);

/// { "lanes": [ { "name", "window_us", "busy_us", "idle_us", "causes" } ], "total": { the same without name },
/// "only_before": [names], "only_after": [names] }. GPUs have communication_us and exposed_communication_us, too.
std::string differenceJson(const GapComparison& compared);

}  // namespace lanelab
