// Reads Chrome trace JSON back into a Trace; gzip is known by content.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "profiler/trace/trace.h"

namespace lanelab {

struct ReadTrace {
  std::shared_ptr<const Trace> trace;            ///< null when nothing could be read
  std::string error;                             ///< one sentence with file and mend, when trace is null
  std::map<std::string, std::int64_t> problems;  ///< what was lost or mended, by kind
};

/// What this program writes comes back equal: lanes, rows, names, exact times and attributes. Other files that hold the dialect's events are
/// read too: a row each (pid, tid), lanes by pid. Bare arrays, missing ends and times as text are no problem; a bad event never costs the
/// others. Problems: bad_number, cut_file, damaged_event, damaged_gzip, damaged_text, invalid_utf8, unknown_phase, unsupported_phase (legal
/// in the format but not held by a Trace: B/E pairs, instants, counters).
ReadTrace readChromeTrace(const std::string& path);
ReadTrace parseChromeTrace(std::string_view json);

}  // namespace lanelab
