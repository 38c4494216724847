// SPDX-License-Identifier: GPL-3.0-only
// Keeps the trace of a run in a file while the run goes, so that it is there when the process is killed.
#pragma once

#include <memory>
#include <string>

#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Appends what is new to `path` (trace_appender.h) twice a second, on a thread of its own, until the result goes. A
/// file that cannot be written is given up in silence: the run writes its trace when it ends.
std::shared_ptr<void> keepTraceFile(std::shared_ptr<const TraceBuilder> builder, const std::string& path);

}  // namespace lanelab
