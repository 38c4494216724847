// SPDX-License-Identifier: GPL-3.0-only
// Reads traces in Perfetto's own format: tracks and their slices, instants, counters and flows of track events, as
// LaneLab, Chrome and Perfetto's SDK write them, compressed or not. What the kernel or a system's other data sources
// recorded is passed over.
#pragma once

#include <optional>
#include <string_view>

#include "profiler/io/build/import_builder.h"
#include "profiler/io/source/byte_source.h"
#include "profiler/io/source/import_limits.h"

namespace lanelab {

/// Whether a file with these first bytes (a few hundred will do) may be such a trace.
bool seemsPerfetto(std::string_view head);

/// What a trace says besides its events, and how its reading ended.
struct PerfettoImport {
  bool stopped = false;                   ///< by `limits.stop`
  bool too_large = false;                 ///< it unpacks to more than the limit
  bool any_known = false;                 ///< some packet has a part that a trace has
  bool live = false;                      ///< trace_appender.h wrote it while the run was in progress
  std::optional<DeclaredTrace> declared;  ///< of such a file
  Nanoseconds base = 0;                   ///< for ImportBuilder::finish()
};

/// Reads the source packet by packet into the builder; ends where damage ends them, which is counted as cut_file. Other
/// problems: unmatched_begin, unmatched_end, unmatched flows, bad_number (times of clocks that nothing explains, values
/// that are not finite), unsupported_phase (events of the older kind), damaged_packet, long_packet, long_name,
/// too_many_rows, too_many_sequences. Notes: arrows without a partner, and events that are not read, by the name of
/// their field in a packet (packet_info.h). Of live files unfinished_file (no end), lost_span and lost_name.
PerfettoImport importPerfetto(ByteSource& source, ImportBuilder& builder, const ImportLimits& limits = {});

}  // namespace lanelab
