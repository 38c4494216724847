// SPDX-License-Identifier: GPL-3.0-only
// Idle time and its causes for people: rows of cells for a terminal or a window, and sentences. C locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "profiler/analysis/critical_path.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/analysis/idle_waterfall.h"
#include "profiler/trace/imported_trace.h"
#include "profiler/trace/number_text.h"

namespace lanelab {

/// The first row holds the headers; all have as many cells.
using TableRows = std::vector<std::vector<std::string>>;

/// Causes that occur, the largest first.
std::vector<Cause> bySize(const CauseTimes& times);
/// Of the lanes that have work, of all where none has; named "all lanes", or "lanes with work" if it leaves some out.
/// The idle time of the others has no cause.
LaneCauses sumOf(const IdleCauses& causes);
/// The largest of a lane's causes as JSON and CSV spell it; of a lane without work, whose idle time none explains,
/// kWithoutWorkWord.
std::string_view causeWord(const LaneCauses& lane, const CauseTimes& times);
/// The step that a gap lies in, as readers count; "" without steps.
std::string stepText(const Trace& trace, const LaneCauses& lane, const ExplainedGap& gap);
inline constexpr std::string_view kWithoutWorkWord = "no_work_in_the_steps";

/// Lane, step windows or periods (IdleCauses::window_kind), busy, idle, utilization: a row per lane, and the sum
/// (sumOf) if there are several.
TableRows laneRows(const IdleCauses& causes);
/// cause, a column a lane with work (where these are at most eight), the sum where there are several, share of the idle
/// time; one a cause that occurs, in order of size, and the sum.
TableRows causeRows(const IdleCauses& causes);
/// Lane, next action, causes, step, start, duration; the `longest` longest gaps, of one lane where that is given.
/// Starts count from `axis`.
TableRows gapRows(const Trace& trace, const IdleCauses& causes, std::size_t longest, std::optional<int> lane,
                  Nanoseconds axis);

/// What costs most on the lanes that have work, and what usually fixes it; and which lanes have none.
Message idleSentence(const IdleCauses& causes, bool with_fix = true);
/// How much of the GPUs' communication is exposed; "" without any.
Message communicationSentence(const IdleCauses& causes);
/// How much of the idle time has the cause communication, by process group; "" if the file names none.
std::string communicationGroupsSentence(const IdleCauses& causes);
/// How much of what the lanes of an imported trace compute and communicate lies in none of their windows; "" if all
/// does.
std::string outsideSentence(const IdleCauses& causes);
/// Whose steps the windows of an imported trace are, if that may surprise; else "".
std::string stepsSentence(const IdleCauses& causes);
/// How many kernels of a file have no launch call, or an ambiguous one, so that whether they were launched late is not
/// known; "" if the lanes are no GPUs, or each kernel's launch call is known.
std::string launchSentence(const ImportedTrace& imported, const IdleCauses& causes);
/// That the trace is of what does not count, a warm-up or a repeat that did not end; "" of a whole repeat.
Message extentSentence(const Trace& trace);
/// Both bubble rates, labelled, and those of the order itself with equal stages (Takes::Order of `waterfall`); ""
/// without a bubble, as of imported traces.
std::string bubbleSentence(const IdleCauses& causes, const std::vector<WaterfallStep>& waterfall);
/// [ { "with", "idle_of_total", "idle_of_busy" } ]
std::string waterfallJson(const std::vector<WaterfallStep>& waterfall);
/// What the step time depends on; "" without a path.
std::string pathSentence(const std::vector<CriticalPath>& paths);

/// Which lanes of a measured trace had a core for too little of their compute time (kLeastOnCore); else "".
Message coreSentence(const Trace& trace);

/// How long the mean step takes in the replayed trace instead of the measured one.
std::string whatIfSentence(const Trace& measured, const Trace& replayed);

/// What usually shortens idle time of a cause in a trace of our actions: "Move blocks from the slowest stage to the
/// others". The order of the actions is in `causes`, whose lanes are not looked at.
Message fixFor(Cause cause, const IdleCauses& causes);
/// "fill", "transfer queued".
std::string_view wordsFor(Cause cause);
/// "94.2 %"; "" without a whole.
std::string percentText(Nanoseconds part, Nanoseconds whole);

}  // namespace lanelab
