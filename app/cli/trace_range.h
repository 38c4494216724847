// SPDX-License-Identifier: GPL-3.0-only
// --range FROM..TO of commands that look at a part of a trace.
#pragma once

#include <string>

#include "app/cli/command.h"
#include "base/result.h"
#include "profiler/trace/trace.h"

namespace lanelab {

Option addRangeOption(const Command& command, std::string& range, const std::string& description);

/// "1.5ms..20ms" counts from the begin of the trace; without a unit times are in microseconds, as in what commands
/// print, and an end that is left out is that of the trace. BadInput if it is not a range, is empty, or has nothing of
/// the trace in it.
Result<TimeRange> rangeIn(const Trace& trace, const std::string& range);

}  // namespace lanelab
