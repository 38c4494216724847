// Reads traces in Perfetto's own format: tracks and their slices, instants, counters and flows of track events, as LaneLab, Chrome and Perfetto's SDK
// write them. What the kernel or a system's other data sources recorded is passed over.
#pragma once

#include <string_view>

#include "profiler/io/import_builder.h"

namespace lanelab {

/// Whether a file with these first bytes (a few hundred will do) may be such a trace.
bool seemsPerfetto(std::string_view head);

/// All of the file's bytes into the builder; ends where damage ends them, which is counted as cut_file. Other problems: unmatched_begin,
/// unmatched_end, unmatched flows, bad_number (times of clocks that nothing explains), unsupported_phase (events of the older kind).
void importPerfetto(std::string_view bytes, ImportBuilder& builder);

}  // namespace lanelab
