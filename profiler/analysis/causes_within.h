// SPDX-License-Identifier: GPL-3.0-only
// Idle time and its causes in a part of a trace, or in other windows.
#pragma once

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// The part in `range`: windows, gaps and pieces are cut at its ends, and all sums are those of what is left. What GPUs
/// did beside computing is left out, but for its causes. Linear in gaps and windows.
IdleCauses causesWithin(const IdleCauses& causes, TimeRange range);

/// What lies in these windows, which may overlap and lie within the lane's own ones: each part of a gap once for each
/// window that it is in, with that window's step.
LaneCauses cutToWindows(const LaneCauses& lane, const std::vector<StepWindow>& windows);

}  // namespace lanelab
