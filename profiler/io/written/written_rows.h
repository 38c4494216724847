// SPDX-License-Identifier: GPL-3.0-only
// An imported trace as writers of slices see it: processes, rows on which spans nest, and arrows between spans.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/io/written/trace_rows.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

struct WrittenRow {
  std::uint32_t process = 0;
  std::string name;
  std::vector<SpanPlace> spans;  ///< by start, parents first; none on rows that hold instants only
};

/// From a span to a span; further spans between them are left out.
struct WrittenArrow {
  SpanPlace from;
  SpanPlace to;
};

struct WrittenRows {
  std::vector<std::string> processes;  ///< names
  std::vector<WrittenRow> rows;
  std::vector<std::uint32_t> row_of_imported;  ///< place in rows, by ImportedTrace::rows
  std::vector<WrittenArrow> arrows;            ///< whose ends lie in spans
};

/// Files of our own lanes are laid out as chrome_writer.h does, with its arrows; others as they were.
WrittenRows writtenRowsOf(const ImportedTrace& imported);

/// Whether several processes have calls that launch, so that ids alone do not show who launched what.
bool severalProcessesLaunch(const ImportedTrace& imported);

/// Spans, instants, values of counters and ends of flows.
std::int64_t writtenEvents(const ImportedTrace& imported);

}  // namespace lanelab
