// SPDX-License-Identifier: GPL-3.0-only
// What reading a trace file gave.
#pragma once

#include <memory>

#include "base/result.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// The trace, never null. Errors name the file and the repair: BadInput, or Cancelled when the import was stopped.
using ReadImport = Result<std::shared_ptr<const ImportedTrace>>;

}  // namespace lanelab
