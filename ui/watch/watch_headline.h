// SPDX-License-Identifier: GPL-3.0-only
// The sentence over the timeline: whose trace it is, and what cost most in it.
#pragma once

#include <QString>

#include "profiler/trace/trace.h"

namespace lanelab {

/// "Pipeline, measured, 3 steps: idle 18 % of the step time (cpu:0 12 %, cpu:1 24 %); longest gap 45 ms on cpu:1 before
/// 1F0". Walks all spans once.
QString watchHeadline(const Trace& trace);

}  // namespace lanelab
