// SPDX-License-Identifier: GPL-3.0-only
// Spans, idle gaps and aligned runs as CSV: RFC 4180, C locale, units in the header, times with three places.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "profiler/analysis/aligned_runs.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// All spans: process,thread,category,name,start_us,duration_us,step,stage,micro_batch,phase,cpu_us; one line a span,
/// row by row and by start; start_us counts from the trace's base. What does not apply is empty. Gzipped when the name
/// ends in ".gz"; aside first, then renamed. After a cancel nothing is left behind.
Status writeSpanTable(const ImportedTrace& imported, const std::string& path, const WorkControl& control = {});

/// Idle gaps and their causes: lane,name,step,before,start_us,duration_us,cause, a column for each cause, and windows
/// ("step" or "period"); longest first; start_us counts from `axis`.
std::string gapTableCsv(const Trace& trace, const IdleCauses& causes, Nanoseconds axis);

/// The cells of two aligned runs: step,stage,phase,micro_batch,a_us,b_us,difference_us,b_later_by_us; one row a cell
/// that both runs have.
std::string alignedCsv(const std::vector<AlignedCell>& cells);

}  // namespace lanelab
