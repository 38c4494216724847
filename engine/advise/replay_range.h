// SPDX-License-Identifier: GPL-3.0-only
// How sure a replay is of the step that nobody measured: the range of forecast_range.h for two lengths of which one was
// measured. Pure functions.
#pragma once

#include <optional>

#include "engine/sim/forecast_range.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Of the mean step of `replayed`, seconds, which is `measured` played again with other lengths; the error of its steps
/// counts from two steps on. None if there are no steps.
std::optional<ForecastRange> rangeOfReplay(const Trace& measured, const Trace& replayed);

}  // namespace lanelab
