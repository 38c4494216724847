// SPDX-License-Identifier: GPL-3.0-only
// Reads Chrome trace JSON back into a Trace; gzip is known by content.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "profiler/trace/trace.h"

namespace lanelab {

struct ReadTrace {
  std::shared_ptr<const Trace> trace;            ///< null when nothing could be read
  std::string error;                             ///< one sentence with file and repair, when trace is null
  std::map<std::string, std::int64_t> problems;  ///< what was lost or repaired, by kind
};

/// What this program writes comes back equal: lanes, rows, names, exact times and attributes. Other files are read as
/// importTraceByEnvironment() does, which also keeps what a Trace does not hold.
ReadTrace readChromeTrace(const std::string& path, std::stop_token stop = {});

}  // namespace lanelab
