// SPDX-License-Identifier: GPL-3.0-only
// Which launch call put a kernel or a copy on its way.
#pragma once

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Sets the mark of kernels, copies and memsets to the end of their launch call: the call with the same correlation id
/// that began last before them, else the call at which an arrow to them begins. `trace` is the one that `imported` is
/// about.
void setLaunchEnds(const ImportedTrace& imported, Trace& trace);

}  // namespace lanelab
