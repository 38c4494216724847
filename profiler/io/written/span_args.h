// SPDX-License-Identifier: GPL-3.0-only
// The arguments of a span in the trace dialect.
#pragma once

#include <string_view>

#include "profiler/io/written/json_object.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Writes what the dialect says of this span's category; times count from `base`, `device` is that of the lane.
void writeSpanArgs(JsonObject& args, const Span& span, int lane, std::string_view device, Nanoseconds base);

}  // namespace lanelab
