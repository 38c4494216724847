// SPDX-License-Identifier: GPL-3.0-only
// Why the lanes of a pipeline are idle more than its schedule promises: the idle share of replays of its own order of
// actions, from the ideal one to the measured step.
//
// Pure; any thread. Replayed but for the last.
#pragma once

#include <vector>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// What a replay takes into account, each with all before it.
enum class Takes : std::uint8_t {
  Order,   ///< all stages equal; F, I and W equal, B as long as both, updates take no time: the schedule's own bubble
  Phases,  ///< the mean lengths of each phase
  Stages,  ///< the usual lengths of each stage
  Transfers,  ///< transfers and their queues
  Delays,     ///< what held actions back
  All         ///< measured
};

struct WaterfallStep {
  Takes takes = Takes::All;
  double of_total = 0;  ///< idle time of the lanes' windows, over all lanes that have work
  double of_busy = 0;   ///< of their busy time
};

/// Of a trace and its causes, whose windows are used. Empty for traces without our actions. Steps that change nothing
/// are there, too.
std::vector<WaterfallStep> idleWaterfall(const Trace& trace, const IdleCauses& causes);

}  // namespace lanelab
