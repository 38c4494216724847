// SPDX-License-Identifier: GPL-3.0-only
// The traces that commands read: what a run recorded of one of its variants, or a file within limits that the command
// line, the environment or a signal sets.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "base/progress.h"
#include "base/result.h"
#include "engine/record/run_record.h"
#include "profiler/io/source/import_limits.h"
#include "profiler/trace/imported_trace.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// The variant that is meant: the named one (as written or as in file names), or with "" the only one. BadInput names
/// the choices.
Result<std::string> variantOf(const RunRecord& record, const std::string& name);

/// The file with the trace of that variant of the run in `folder`. BadInput if there is none.
Result<std::string> runTracePath(const RunRecord& record, const std::string& folder, const std::string& variant);

/// That trace, read.
Result<std::shared_ptr<const Trace>> readRunTrace(const RunRecord& record, const std::string& folder,
                                                  const std::string& variant);

/// The file that holds a trace, and the run where it is of one.
struct TraceSource {
  std::string file;
  std::optional<RunRecord> record = {};
  std::string variant = {};
};

/// A run folder, of which `variant` names the variant (variantOf), the folder of an imported trace, or a trace file.
Result<TraceSource> traceSourceOf(const std::string& place, const std::string& variant);

/// The same, or a folder with the trace files of a job's ranks, which importForFigures() joins.
Result<TraceSource> traceOrRanksOf(const std::string& place, const std::string& variant);

/// Of every command that opens traces.
struct ImportOptions {
  std::string max_unpacked;  ///< --max-unpacked: a size, or "" for what the environment says
  std::string actions;       ///< --actions: a file, or "" for the built-in names alone
};
void addImportOptions(const Command& command, ImportOptions& options);

/// With the limit that the option sets, else the environment.
Result<ImportLimits> importLimits(const ImportOptions& options, const WorkControl& control);

/// As importRanks(); never null. BadInput, or Cancelled after a stop.
Result<std::shared_ptr<const ImportedTrace>> importChosen(const std::vector<std::string>& places,
                                                          const ImportOptions& options, const WorkControl& control);

/// The same with its progress on stderr, and warnings of what the file lost; `consequence` is what that does to the
/// figures of the command ("gaps may be missing or wrong").
Result<std::shared_ptr<const ImportedTrace>> importForFigures(const std::string& file, const ImportOptions& options,
                                                              const std::string& consequence,
                                                              const std::stop_token& stop);

}  // namespace lanelab
