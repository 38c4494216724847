// SPDX-License-Identifier: GPL-3.0-only
// Idle time of traces of our own dialect, by what their actions waited for (idle_causes.h tells the rules).
#pragma once

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

IdleCauses explainActions(const Trace& trace);

}  // namespace lanelab
