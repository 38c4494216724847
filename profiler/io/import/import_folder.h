// SPDX-License-Identifier: GPL-3.0-only
// A folder that holds an imported trace: trace.json.gz, in Chrome's format, and import.json, which says where it came
// from and what was in it.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// The object that `import --json` prints: format, spans, instants, counters, flows, categories, problems, and notes
/// and remarks if any.
std::string importSummaryJson(const ImportedTrace& imported);

/// Whether an import was written into the folder.
bool holdsImport(const std::string& folder);
/// The trace within the folder, for importTrace() to read.
std::string importedTracePath(const std::string& folder);

/// Empty when the folder can take an import: it is absent, empty or holds an earlier one; otherwise one sentence.
std::string whyNoImportInto(const std::string& folder);
/// Writes the folder and its parents, import.json last, so that a folder that has it is whole. `source` is the file
/// that was read. After a cancel a folder that was made is gone again.
Status writeImport(const ImportedTrace& imported, const std::string& source, const std::string& folder,
                   const WorkControl& control = {});

}  // namespace lanelab
