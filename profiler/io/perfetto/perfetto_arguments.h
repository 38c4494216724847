// SPDX-License-Identifier: GPL-3.0-only
// The debug annotations of one slice of a Perfetto trace, read from its file on demand.
#pragma once

#include <string>

#include "base/result.h"
#include "profiler/io/source/import_limits.h"
#include "profiler/io/source/sought_event.h"

namespace lanelab {

/// Of the first slice like that one; none if there is none. Reads the
/// file twice, plain or gzipped, since tracks may be described after their events. Any thread. Error: the file cannot
/// be opened. Throws StoppedError.
Result<EventArguments> readPerfettoArguments(const std::string& path, const SoughtEvent& event,
                                             const ImportLimits& limits = {});

}  // namespace lanelab
