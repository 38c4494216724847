// SPDX-License-Identifier: GPL-3.0-only
// Idle gaps and their causes as CSV (RFC 4180, C locale, units in the header).
#pragma once

#include <string>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// lane,name,step,before,start_us,duration_us,cause and a column for each cause; longest first; start_us counts from
/// `axis`
std::string gapTableCsv(const Trace& trace, const IdleCauses& causes, Nanoseconds axis);

}  // namespace lanelab
