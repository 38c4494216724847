// SPDX-License-Identifier: GPL-3.0-only
// All spans of a trace as a table.
#pragma once

#include <string>

#include "base/result.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// process,thread,category,name,start_us,duration_us,step,stage,micro_batch,phase,cpu_us: RFC 4180, C locale, three
/// places, one line a span, row by row and by start; start_us counts from the trace's base. What does not apply is
/// empty.
std::string spanTableCsv(const ImportedTrace& imported);

/// Gzipped when the name ends in ".gz"; aside first, then renamed.
Status writeSpanTable(const ImportedTrace& imported, const std::string& path);

}  // namespace lanelab
