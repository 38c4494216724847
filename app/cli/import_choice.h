// SPDX-License-Identifier: GPL-3.0-only
// Reading a trace file for a command, within limits that the command line, the environment or a signal sets.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "app/cli/command.h"
#include "base/result.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

struct ImportChoice {
  std::string max_unpacked;  ///< a size; "" for what the environment says
};

/// --max-unpacked
void addImportOptions(const Command& command, ImportChoice& choice);

/// As importTrace(); never null. BadInput, or Cancelled after a stop.
Result<std::shared_ptr<const ImportedTrace>> importChosen(const std::string& path, const ImportChoice& choice,
                                                          const std::stop_token& stop);

}  // namespace lanelab
