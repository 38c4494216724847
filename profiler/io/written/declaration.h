// SPDX-License-Identifier: GPL-3.0-only
// What our own files say about themselves, which declared_trace.h reads.
#pragma once

#include <string>
#include <vector>

#include "profiler/io/written/trace_rows.h"

namespace lanelab {

/// {"lanelab":{...}}: title, origin, epoch, lanes and tracks, which a viewer does not ask for but our reader needs to
/// give the same trace back. `rows` tell which rows a track takes; none where the file tells it otherwise.
void appendDeclaration(std::string& out, const Trace& trace, const std::vector<TraceRow>& rows);

}  // namespace lanelab
