// SPDX-License-Identifier: GPL-3.0-only
// Writes a Trace as Chrome trace JSON, which Perfetto and chrome://tracing open.
//
// Events, rows and flows are those of the trace dialect: cat `lanelab` with args lane stage micro_batch phase step
// issued_us device; `transfer` with from_stage micro_batch phase step queued_us; `step`; details nested in their
// action; flows from a transfer to the action that waited for it. pid = lane, tid = row; rows never hold partial
// overlaps (an overlapping span goes to a further row of the same thread, first fit). A transfer whose queueing is
// unknown is written as queued for 0 us. `otherData.lanelab` holds what our reader needs to give the same trace back.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Times are microseconds with three decimals, counted from the trace's first span (baseTimeNanoseconds holds that).
/// Gzipped when the name ends in ".gz" (`level` is zlib's); aside first, then renamed. After a cancel nothing is left
/// behind.
Status writeChromeTrace(const Trace& trace, const std::string& path, const WorkControl& control = {}, int level = 6);

}  // namespace lanelab
