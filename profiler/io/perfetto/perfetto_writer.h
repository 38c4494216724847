// SPDX-License-Identifier: GPL-3.0-only
// Writes a trace in Perfetto's own format (protos/perfetto/trace), which its viewer and trace processor open faster
// than JSON.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// A process each lane or process, a track each row with its slices nested, arrows between slices, instants, a counter
/// track each series. Names and categories are interned. Times are exact nanoseconds; where some are negative, all are
/// shifted so that the first is 0. Stage, micro-batch, phase and step of our spans, and correlation ids of others, are
/// debug annotations. Gzipped when the name ends in ".gz"; aside first, then renamed. After a cancel nothing is left
/// behind.
Status writePerfettoTrace(const ImportedTrace& imported, const std::string& path, const WorkControl& control = {});

}  // namespace lanelab
