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

/// Both kinds of reports are written in steps, each a figure or a file, so that a window can show progress and cancel
/// between two of them. Window's thread (they paint).
using ReportSteps = std::vector<SteppedWork::Step>;
/// Without a window that could cancel.
Status runAll(const ReportSteps& steps);

/// Comparison, timelines of the variants and losses as inline SVG in one self-contained file.
ReportSteps htmlReportSteps(const std::shared_ptr<const RunRecord>& record, const Traces& traces, const QString& path);

/// report.html; comparison and loss as PNG, SVG and CSV; per variant timeline-<slug>.png and .svg, gaps-<slug>.csv.
struct ReportFolderSteps {
  ReportSteps steps;
  std::shared_ptr<const QStringList> files;  ///< written so far
  std::function<void()> undo;                ///< removes them, and the folder if it was made
};
ReportFolderSteps reportFolderSteps(const std::shared_ptr<const RunRecord>& record, const Traces& traces,
                                    const QString& folder);

}  // namespace lanelab
