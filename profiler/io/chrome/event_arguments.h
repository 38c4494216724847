// SPDX-License-Identifier: GPL-3.0-only
// The arguments of one event of a Chrome trace, read from its file on demand.
#pragma once

#include <string>

#include "base/result.h"
#include "profiler/io/source/import_limits.h"
#include "profiler/io/source/sought_event.h"

namespace lanelab {

/// Of the first event like that one; none if there is none. Reads the file, plain or gzipped, up to that event.
/// Any thread. Error: the file cannot be opened. Throws StoppedError.
Result<EventArguments> readChromeArguments(const std::string& path, const SoughtEvent& event,
                                           const ImportLimits& limits = {});

}  // namespace lanelab
