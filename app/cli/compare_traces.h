// SPDX-License-Identifier: GPL-3.0-only
// compare of two traces, before and after a change.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/run_trace.h"
#include "base/result.h"

namespace lanelab {

/// What to print, and of what.
struct TraceChoice {
  std::string variant;  ///< of a run that is compared with a trace
  ImportOptions reading;
  std::optional<int> top;
  std::string csv = {};
  bool json = false;
  bool unlike = false;
};

/// Whether any place is a trace file, the folder of an imported trace, or a folder with trace files and no run.
bool anyIsTrace(const std::vector<std::string>& places);

/// Prints how the second differs from the first. BadInput unless there are two, for recordings that do not compare, and
/// for unlike jobs unless these are allowed.
Status compareTraces(const std::vector<std::string>& places, const TraceChoice& choice, const std::stop_token& stop);

}  // namespace lanelab
