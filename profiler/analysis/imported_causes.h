// SPDX-License-Identifier: GPL-3.0-only
// Idle time of traces that hold no actions of ours: GPUs by their kernels, else threads by their operators.
//
// A gap before a kernel is `host` until its launch call ended, then `transfer` while a copy runs on the kernel's
// stream; all else is `unresolved`, since nothing in such a file tells more. Windows are the spans named
// "ProfilerStep#N" (those of the host, where GPUs have some, too), else a lane's first to last work.
#pragma once

#include <vector>

#include "profiler/analysis/idle_causes.h"
#include "profiler/analysis/imported_lanes.h"

namespace lanelab {

IdleCauses explainImported(const Trace& trace, std::vector<ImportedLane> lanes);

}  // namespace lanelab
