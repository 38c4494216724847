// SPDX-License-Identifier: GPL-3.0-only
// Writes an imported trace as Chrome trace JSON: its own processes and threads, categories, names and exact times,
// instants, counters and flows.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Reading the file gives the same trace again. Spans nest on every row and every flow has both ends. Files of our own
/// lanes are written as chrome_writer.h does. Gzipped when the name ends in ".gz" (`level` is zlib's); aside first,
/// then renamed. After a cancel nothing is left behind.
Status writeChromeTrace(const ImportedTrace& imported, const std::string& path, const WorkControl& control = {},
                        int level = 6);

}  // namespace lanelab
