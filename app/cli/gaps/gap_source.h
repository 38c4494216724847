// SPDX-License-Identifier: GPL-3.0-only
// What gaps explains: the trace of a variant of a run, or of a file of any program, and what both together show.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/run_trace.h"
#include "base/result.h"
#include "engine/record/run_record.h"
#include "profiler/analysis/cause_shares.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

struct GapsArguments {
  std::vector<std::string> places;
  std::string variant;
  std::string lane;
  std::string csv;
  std::string apply_suggestion;
  std::vector<std::string> what_if;
  ImportOptions reading;
  std::string windows;
  std::optional<int> longest;
  bool json = false;
};

struct GapSource : TraceSource {
  std::optional<RecordingCost> recording() const;
};

/// The place itself, or what the folder holds that it is.
Result<GapSource> gapSourceOf(const std::string& place, const GapsArguments& options);

/// The trace of the file; warns on stderr of what it lost. Never null.
Result<std::shared_ptr<const ImportedTrace>> readGapTrace(const std::string& file, const GapsArguments& options,
                                                          const std::stop_token& stop);

/// Of our own dialect what its analyses begin with, else empty.
PreparedActions preparedActionsOf(const Trace& trace);

/// --windows trace.
inline constexpr std::string_view kWholeTrace = "trace";
/// Nothing: periods where steps overlap, else steps.
std::optional<WindowKind> windowsOf(const GapsArguments& options);
/// In the chosen windows; BadInput if the trace does not have them.
Result<IdleCauses> explainedIn(const ImportedTrace& imported, const PreparedActions& actions,
                               const GapsArguments& options);

/// The lane of --lane, by number, or by a name that one lane has; nothing without the option.
Result<std::optional<int>> laneOf(const IdleCauses& causes, const std::string& wanted);

bool hasNoLane(const IdleCauses& causes);

/// Members of the JSON object about a trace: its begin, "begin_us" on the axis of the file and "begin_unix_us" as Unix
/// time (null if unknown); of our own dialect what each root costs, and what the critical path is made of.
std::string traceMembers(const Trace& trace, const PreparedActions& actions, const IdleCauses& causes,
                         Nanoseconds begin, Nanoseconds axis);
/// "slowdown": who is late; "" for a trace without passes of several lanes.
std::string slowdownMember(const Trace& trace);
std::string recordingMember(const RecordingCost& recording);
/// Those that are not empty, a line each that begins with `before`.
void printSentences(std::initializer_list<std::string> sentences, const std::string& before = {});

}  // namespace lanelab
