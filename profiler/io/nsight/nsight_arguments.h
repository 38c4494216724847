// SPDX-License-Identifier: GPL-3.0-only
// The columns of one event of an export of Nsight Systems, read from its file on demand.
#pragma once

#include <string>

#include "base/result.h"
#include "profiler/io/source/import_limits.h"
#include "profiler/io/source/sought_event.h"

namespace lanelab {

/// Of the row like that event, each column that has a value, but its times; texts in place of numbers that refer to
/// texts. None if there is no such row. Any thread. Error: the file cannot be read. Throws StoppedError.
Result<EventArguments> readNsightArguments(const std::string& path, const SoughtEvent& event,
                                           const ImportLimits& limits = {});

}  // namespace lanelab
