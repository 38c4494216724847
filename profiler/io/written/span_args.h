// SPDX-License-Identifier: GPL-3.0-only
// The arguments of a span in the trace dialect.
#pragma once

#include "profiler/io/written/json_object.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Writes what the dialect says of this span's category; times count from `base`; `info` is null for a lane that the
/// trace lacks.
void writeSpanArgs(JsonObject& args, const Span& span, int lane, const LaneInfo* info, Nanoseconds base);

}  // namespace lanelab
