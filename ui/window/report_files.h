// SPDX-License-Identifier: GPL-3.0-only
// A run's report: one HTML file, or a folder with pictures, tables and that file. Window and command line write the
// same.
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "engine/record/run_record.h"
#include "profiler/trace/trace.h"
#include "ui/look/work.h"

namespace lanelab {

using Traces = std::vector<std::shared_ptr<const Trace>>;

/// Reads the traces of a run folder, in the order of its variants; those that are missing or damaged are left out.
Traces readTraces(const RunRecord& record, const QString& folder);

/// Comparison, timelines of the variants and losses as inline SVG in one self-contained file. Window's thread (it
/// paints).
Status writeHtmlReport(const RunRecord& record, const Traces& traces, const QString& path);

/// report.html; comparison and loss as PNG, SVG and CSV; per variant timeline-<slug>.png and .svg, gaps-<slug>.csv.
/// Returns the files' paths.
Result<QStringList> writeReportFolder(const RunRecord& record, const Traces& traces, const QString& folder);

/// The same two in steps, each a figure or a file, for a window that shows progress and cancels between two of them.
std::vector<SteppedWork::Step> htmlReportSteps(const std::shared_ptr<const RunRecord>& record, const Traces& traces,
                                               const QString& path);
struct ReportFolderSteps {
  std::vector<SteppedWork::Step> steps;
  std::shared_ptr<const QStringList> files;  ///< written so far
  std::function<void()> undo;                ///< removes them, and the folder if it was made
};
ReportFolderSteps reportFolderSteps(const std::shared_ptr<const RunRecord>& record, const Traces& traces,
                                    const QString& folder);

}  // namespace lanelab
