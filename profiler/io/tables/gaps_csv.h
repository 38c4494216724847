// SPDX-License-Identifier: GPL-3.0-only
// Idle gaps, their causes and busy shares as CSV (RFC 4180, C locale, units in the header).
#pragma once

#include <string>
#include <vector>

#include "profiler/analysis/gaps.h"
#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// lane,name,window_us,busy_us,idle_us,busy_share
std::string idleTableCsv(const Trace& trace, const std::vector<LaneIdle>& idle);
/// lane,name,step,before,start_us,duration_us; longest first; start_us counts from the first span, as `ts` does in an
/// exported trace
std::string gapTableCsv(const Trace& trace, const std::vector<LaneIdle>& idle);
/// lane,name,step,before,start_us,duration_us,cause and a column for each cause; longest first; start_us counts from
/// `axis`
std::string causeTableCsv(const Trace& trace, const IdleCauses& causes, Nanoseconds axis);

}  // namespace lanelab
