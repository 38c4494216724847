// SPDX-License-Identifier: GPL-3.0-only
// Reads a trace file of any program that LaneLab knows: Chrome trace JSON in its dialects, Perfetto's own format (both
// also gzipped), the SQLite exports of Nsight Systems. JSON is read as a stream, so a file may be larger than the
// memory.
#pragma once

#include <string>
#include <string_view>

#include "profiler/io/source/import_limits.h"

namespace lanelab {

/// Never throws. Damage is counted in counts.problems and never costs the other events. Takes time linear in the bytes
/// of the trace (apart from the sorting of what stands in disorder), and besides the result the memory of its largest
/// event. Regular files only. The limits are an error.
ReadImport importTrace(const std::string& path, const ImportLimits& limits = {});
/// importTrace() with the limit that LANELAB_MAX_UNPACKED sets.
ReadImport importTraceByEnvironment(const std::string& path, const WorkControl& control = {});
/// The trace alone, never null. What this program writes comes back equal: lanes, rows, names, exact times and
/// attributes.
Result<std::shared_ptr<const Trace>> readTrace(const std::string& path, const WorkControl& control = {});
/// The same for the bytes of a JSON or Perfetto file, with the usual limits; `subject` names them in errors.
ReadImport importBytes(std::string_view bytes, const std::string& subject = "The text");

/// Events that could not be used: all problems but overlaps and names that were cut, which cost no event.
std::int64_t lostEvents(const ImportCounts& counts);
/// Of those, what idle time and its causes may depend on: no arrows, which only tell again what correlation ids do, and
/// no counters.
std::int64_t lostForGaps(const ImportCounts& counts);

}  // namespace lanelab
