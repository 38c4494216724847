// SPDX-License-Identifier: GPL-3.0-only
// The trace that a run kept of one of its variants.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/record/run_record.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// The variant that is meant: the named one (as written or as in file names), or with "" the only one. BadInput names
/// the choices.
Result<std::string> variantOf(const RunRecord& record, const std::string& name);

/// Where the run in `folder` kept the trace of that variant. BadInput where it kept none.
Result<std::string> runTracePath(const RunRecord& record, const std::string& folder, const std::string& variant);

/// That trace, read.
Result<std::shared_ptr<const Trace>> readRunTrace(const RunRecord& record, const std::string& folder,
                                                  const std::string& variant);

}  // namespace lanelab
