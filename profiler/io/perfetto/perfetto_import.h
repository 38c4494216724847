// SPDX-License-Identifier: GPL-3.0-only
// Reads traces in Perfetto's own format: tracks and their slices, instants, counters and flows of track events, as
// LaneLab, Chrome and Perfetto's SDK write them. What the kernel or a system's other data sources recorded is passed
// over.
#pragma once

#include <string_view>

#include "profiler/io/build/import_builder.h"
#include "profiler/io/source/byte_source.h"
#include "profiler/io/source/import_limits.h"

namespace lanelab {

/// Whether a file with these first bytes (a few hundred will do) may be such a trace.
bool seemsPerfetto(std::string_view head);

/// Reads the source packet by packet into the builder; ends where damage ends them, which is counted as cut_file. Other
/// problems: unmatched_begin, unmatched_end, unmatched flows, bad_number (times of clocks that nothing explains, values
/// that are not finite), unsupported_phase (events of the older kind), long_packet, long_name, too_many_rows,
/// too_many_sequences. False when `limits.stop` ended it.
bool importPerfetto(ByteSource& source, ImportBuilder& builder, const ImportLimits& limits = {});

}  // namespace lanelab
