// SPDX-License-Identifier: GPL-3.0-only
// The arguments of one span of an imported trace, read from its file on demand: of Chrome's events, Perfetto's debug
// annotations, columns of Nsight Systems.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "profiler/io/source/import_limits.h"
#include "profiler/io/source/sought_event.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// The span as its file has it; nothing for a span whose row the file does not name.
std::optional<SoughtEvent> soughtEvent(const ImportedTrace& imported, std::size_t track, const Span& span);

/// Of the first event like that one in a file of any format; none if there is none. Takes time linear
/// in the file and memory for the arguments of one event. Any thread. Errors: the file cannot be read; Cancelled.
Result<EventArguments> readArguments(const std::string& path, const SoughtEvent& event,
                                     const ImportLimits& limits = {});

}  // namespace lanelab
