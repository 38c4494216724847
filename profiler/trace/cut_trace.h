// SPDX-License-Identifier: GPL-3.0-only
// A part of a trace as a trace of its own, with all that its file says of that part.
#pragma once

#include <memory>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// What is in the range, on the same axis. Spans that begin before or end after it are cut at its ends, and their time
/// on a core is not known then. Counters keep the value that they had when the range began. Arrows stay if all their
/// ends are in the range. Lanes, tracks and rows stay, also those that have nothing there. Any thread; linear.
std::shared_ptr<const ImportedTrace> cutTrace(const ImportedTrace& imported, TimeRange range);

}  // namespace lanelab
