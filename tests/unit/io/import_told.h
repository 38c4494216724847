// SPDX-License-Identifier: GPL-3.0-only
// Everything of an imported trace as text, so that two can be compared and a difference read.
#pragma once

#include <string>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Names and categories resolved, times counted from the trace's base; without counts and format, which
/// importSummaryJson() tells.
std::string told(const ImportedTrace& imported);

}  // namespace lanelab
