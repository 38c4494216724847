// SPDX-License-Identifier: GPL-3.0-only
// What the timeline shows, as one value. TimelinePresenter puts it on the screen; nothing else remembers a trace.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "engine/record/run_record.h"
#include "profiler/analysis/aligned_runs.h"
#include "profiler/trace/imported_trace.h"
#include "profiler/trace/trace.h"

namespace lanelab {

class ShownRun;

struct NoTrace {
  bool operator==(const NoTrace&) const = default;
};

/// A run in progress.
struct LiveRun {
  std::shared_ptr<const Trace> trace;  ///< null until its first action begins
  QString unit;  ///< what it records: "repeat 4 of 10"; empty of a variant that waits for its turn

  bool operator==(const LiveRun&) const = default;
};

/// A variant of a run that ended.
struct FinishedVariant {
  std::shared_ptr<const RunRecord> record;  ///< null if the run was refused after it had begun
  QString variant;
  std::shared_ptr<const Trace> trace;  ///< null if the run has no timeline of the variant

  bool operator==(const FinishedVariant&) const = default;
};

/// A trace of another program.
struct ImportedFile {
  std::shared_ptr<const ImportedTrace> imported;  ///< not null
  QString path;

  bool operator==(const ImportedFile&) const = default;
};

/// Two traces on one axis.
struct ComparedTraces {
  std::shared_ptr<const AlignedRuns> aligned;  ///< not null
  std::shared_ptr<const Trace> first;          ///< A: what was shown before
  FinishedVariant measured;                    ///< the variant that A is of
  QString names;                               ///< "A: Pipeline, B: Single of demo-2"
  bool same_batch = false;                     ///< steps of both runs train as many samples

  bool operator==(const ComparedTraces&) const = default;
};

using MeasuredTrace = std::variant<FinishedVariant, ImportedFile>;

/// The answer of What If in place of what was measured.
struct ReplayedSteps {
  MeasuredTrace measured;
  std::shared_ptr<const Trace> trace;  ///< not null
  QString words;                       ///< what was changed: "stage 0 x 0.5"

  bool operator==(const ReplayedSteps&) const = default;
};

using ShownTrace = std::variant<NoTrace, LiveRun, FinishedVariant, ImportedFile, ComparedTraces, ReplayedSteps>;

/// The variant or file that was measured, also behind a comparison or a replay; null if it is the other kind or none.
const FinishedVariant* finishedVariant(const ShownTrace& shown);
const ImportedFile* importedFile(const ShownTrace& shown);

/// The trace that idle times, bookmarks and suggestions are of: the first of two; null while a run is in progress.
std::shared_ptr<const Trace> analysedTrace(const ShownTrace& shown);

/// The trace that another run's can be compared with; null if there is none.
std::shared_ptr<const Trace> comparableTrace(const ShownTrace& shown);

/// The timeline as CSV: the gaps of the trace, or the actions of two side by side. Empty without a trace.
/// `range`, of the shown axis: only the gaps in that part, cut at its ends, or the actions that begin in it.
std::string timelineCsv(const ShownTrace& shown, std::optional<TimeRange> range = {});

/// What two traces say of each other: whose they are, and how much the actions differ, or only those that begin in
/// `range` of the common axis.
QString comparedHeadline(const ComparedTraces& compared, std::optional<TimeRange> range = {});

/// The variant of the run to show: the board's, or the fastest of a sweep that has other variants only.
QString variantToShow(const RunRecord* record, const QString& active_variant);

/// What follows `now` when the run or the chosen variant may have changed. `now` stays while the variant's file is
/// being read, so that no empty timeline flashes up, and two compared traces stay until another variant is wanted.
ShownTrace nextShownTrace(const ShownTrace& now, const ShownRun& run, const QString& variant);

}  // namespace lanelab
