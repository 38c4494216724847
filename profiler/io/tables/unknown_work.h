// SPDX-License-Identifier: GPL-3.0-only
// What a trace holds in which no lane was found, so that nobody takes a recording for empty that is not.
#pragma once

#include <string>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// How many spans on how many threads of which processes the file has, their categories, what LaneLab would need to
/// explain them, and events that are not read. Of a file without any spans it says that. C locale.
std::string unknownWorkSentence(const ImportedTrace& imported);

}  // namespace lanelab
