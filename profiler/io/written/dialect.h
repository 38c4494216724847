// SPDX-License-Identifier: GPL-3.0-only
// What our own files say in the trace dialect: of themselves, which declared_trace.h reads, and of each span.
#pragma once

#include <string>
#include <vector>

#include "profiler/io/written/json_object.h"
#include "profiler/io/written/trace_rows.h"

namespace lanelab {

/// {"lanelab":{...}}: title, origin, epoch, lanes and tracks, which a viewer does not ask for but our reader needs to
/// give the same trace back. `rows` tell which rows a track takes; none where the file tells it otherwise.
void appendDeclaration(std::string& out, const Trace& trace, const std::vector<TraceRow>& rows);

/// Writes what the dialect says of this span's category; times count from `base`; `info` is null for a lane that the
/// trace lacks.
void writeSpanArgs(JsonObject& args, const Span& span, int lane, const LaneInfo* info, Nanoseconds base);

}  // namespace lanelab
