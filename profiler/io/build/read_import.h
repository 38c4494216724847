// SPDX-License-Identifier: GPL-3.0-only
// What reading a trace file gave.
#pragma once

#include <memory>
#include <string>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

struct ReadImport {
  std::shared_ptr<const ImportedTrace> imported;  ///< null when nothing could be read
  std::string error;                              ///< then one sentence with file and repair
};

}  // namespace lanelab
