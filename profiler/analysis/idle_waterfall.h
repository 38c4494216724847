// SPDX-License-Identifier: GPL-3.0-only
// Why the lanes of a pipeline are idle more than its schedule promises: the idle share of replays of its own order of
// actions, from the ideal one to the measured step.
//
// Pure; any thread. Replayed but for the last.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/words.h"
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

constexpr std::array<Word<Takes>, 6> wordTable(Takes) {
  return {{{Takes::Order, "order"},
           {Takes::Phases, "phases"},
           {Takes::Stages, "stages"},
           {Takes::Transfers, "transfers"},
           {Takes::Delays, "delays"},
           {Takes::All, "measured"}}};
}

struct WaterfallStep {
  Takes takes = Takes::All;
  double of_total = 0;  ///< idle time of the lanes' windows, over all lanes that have work
  double of_busy = 0;   ///< of their busy time
};

/// Of a trace and its causes, whose windows are used. Empty for traces without our actions, and for a repeat that does
/// not count. Steps that change nothing are there, too.
std::vector<WaterfallStep> idleWaterfall(const Trace& trace, const IdleCauses& causes);
std::vector<WaterfallStep> idleWaterfall(const Trace& trace, const PreparedActions& actions, const IdleCauses& causes);

/// The first and the last, and between them those that change the idle share by at least 0.05 %.
std::vector<WaterfallStep> tellingSteps(const std::vector<WaterfallStep>& waterfall);

/// With what, idle share of the lane time, change in percentage points: a row for each of tellingSteps(), behind a row
/// of headers.
std::vector<std::vector<std::string>> waterfallRows(const std::vector<WaterfallStep>& waterfall);

}  // namespace lanelab
