// SPDX-License-Identifier: GPL-3.0-only
// Joins kernels, copies and memsets with the calls that launched them.
//
// Correlation ids count from 1 in each process, so a launch belongs to one process: the one that the file names
// (ImportedRow::launcher), the only one with such a call, or of several the one that belongs to the GPU's process
// (ProcessFamilies), the only one whose call began before the work, or the only one whose call launched nothing else.
// What remains is ambiguous and has no launch.
//
// Times are int64 nanoseconds. n log n in the spans that have a correlation id, whatever the file holds.
#pragma once

#include <cstdint>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

struct JoinedLaunches {
  std::int64_t without = 0;       ///< kernels whose call is not in the file
  std::int64_t ambiguous = 0;     ///< kernels that calls of several processes may have launched
  std::int64_t before = 0;        ///< kernels, copies and memsets that begin before their call and are in the trace
  std::int64_t left_out = 0;      ///< of those that begin far before it, that are no longer in the trace
  Nanoseconds before_most = 0;    ///< how long before it, at most
  std::uint32_t before_name = 0;  ///< of that one, in Trace::names
};

/// Sets the mark of kernels, copies and memsets to the end of their launch call, or to the begin of the first work of
/// that call if that is earlier: of the calls of the process with their correlation id the one that began last before
/// them, else the call at which an arrow to them begins (in a
/// file without calls by category, as of rpd, one that is named as such). Sets the launcher of rows whose work one
/// process launched. Work that begins before its call has no launch; far before it, it is on another clock, and is
/// taken out of the trace with the arrows to it (LeftOutWork), unless that holds for most of the GPU's work. `imported`
/// is about `trace`.
JoinedLaunches joinLaunches(ImportedTrace& imported, Trace& trace);

}  // namespace lanelab
