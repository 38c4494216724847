// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/gaps/gap_source.h"

#include <algorithm>
#include <iostream>

#include "base/json_text.h"
#include "base/text.h"
#include "engine/record/record_json.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/tables/begin_time.h"
#include "profiler/io/tables/gap_tables.h"
#include "profiler/io/tables/root_tables.h"
#include "profiler/io/tables/slowdown_tables.h"
#include "profiler/trace/number_text.h"

namespace lanelab {

std::optional<RecordingCost> GapSource::recording() const {
  return record ? record->find(variant)->recording : std::nullopt;
}

Result<GapSource> gapSourceOf(const std::string& place, const GapsArguments& options) {
  Result<TraceSource> source = traceSourceOf(place, options.variant);
  if (!source.ok()) return source.error();
  return GapSource{std::move(*source)};
}

Result<std::shared_ptr<const ImportedTrace>> readGapTrace(const std::string& file, const GapsArguments& options,
                                                          const std::stop_token& stop) {
  return importForFigures(file, options.reading, "gaps may be missing or wrong", stop);
}

PreparedActions preparedActionsOf(const Trace& trace) {
  return hasActions(trace) ? prepareActions(trace) : PreparedActions();
}

std::optional<WindowKind> windowsOf(const GapsArguments& options) { return fromWord<WindowKind>(options.windows); }

Result<IdleCauses> explainedIn(const ImportedTrace& imported, const PreparedActions& actions,
                               const GapsArguments& options) {
  const std::optional<WindowKind> windows = windowsOf(options);
  if (options.windows == kWholeTrace) {
    if (!hasActions(*imported.trace)) return explainImported(*imported.trace, &imported, ImportedWindows::Trace);
    return Error::badInput(
        "--windows trace is for traces of other programs, whose GPUs may work outside of the steps. Choose step or "
        "period for a trace with actions of lanes.");
  }
  IdleCauses causes = explainIdle(imported, actions, windows);
  if (windows.value_or(causes.window_kind) != causes.window_kind)
    return Error::badInput(
        "The trace has no actions of lanes, so there are no periods. Leave out --windows period to see its gaps.");
  return causes;
}

Result<std::optional<int>> laneOf(const IdleCauses& causes, const std::string& wanted) {
  if (wanted.empty()) return std::optional<int>();
  std::vector<std::string> names;
  std::vector<int> numbers;
  for (const LaneCauses& lane : causes.lanes) {
    if (wanted == std::to_string(lane.lane)) return std::optional(lane.lane);
    if (wanted == lane.name) numbers.push_back(lane.lane);
    names.push_back("\"" + lane.name + "\"");
  }
  if (numbers.size() == 1) return std::optional(numbers.front());
  if (numbers.size() > 1)
    return Error::badInput("The trace has {} lanes \"{}\". Choose one by its number, from 0 to {}.", numbers.size(),
                           wanted, causes.lanes.size() - 1);
  return Error::badInput("The trace has no lane \"{}\". Choose {}, or a number from 0.", wanted, joinOr(names));
}

bool hasNoLane(const IdleCauses& causes) {
  return std::ranges::all_of(causes.lanes, [](const LaneCauses& lane) { return lane.window == 0; });
}

std::string traceMembers(const Trace& trace, const PreparedActions& actions, const IdleCauses& causes,
                         Nanoseconds begin, Nanoseconds axis) {
  const std::optional<Nanoseconds> unix_time = unixTimeOf(trace, begin);
  const std::string members = "\"begin_us\": " + microsecondsText(begin - axis) +
                              ",\n  \"begin_unix_us\": " + (unix_time ? microsecondsText(*unix_time) : "null");
  const std::vector<CriticalPath> paths = criticalPaths(trace, actions.traced);
  if (paths.empty()) return members;
  const RootCosts roots = rootCosts(trace, actions);
  return members + ",\n  \"step_us\": " + microsecondsText(roots.step) + ",\n  \"roots\": " + rootsJson(trace, roots) +
         ",\n  \"critical_path\": " + pathJson(pathParts(trace, actions.traced, paths)) +
         ",\n  \"waterfall\": " + waterfallJson(idleWaterfall(trace, actions, causes));
}

std::string slowdownMember(const Trace& trace) {
  const std::optional<JobSlowdown> slowdown = jobSlowdown(trace);
  return slowdown ? "\"slowdown\": " + slowdownJson(trace, *slowdown) : std::string();
}

std::string recordingMember(const RecordingCost& recording) {
  return "\"recording\": " + jsonText(recordingToJson(recording));
}

void printSentences(std::initializer_list<std::string> sentences, const std::string& before) {
  for (const std::string& sentence : sentences)
    if (!sentence.empty()) std::cout << before << sentence << "\n";
}

}  // namespace lanelab
