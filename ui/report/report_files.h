// SPDX-License-Identifier: GPL-3.0-only
// A run's report as one HTML file, and everything of a run in a folder: the report as a page and on paper, figures,
// tables, and the files of the run. Window and command line write the same. Window's thread (they paint).
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "ui/export/exhibit.h"
#include "ui/report/report_steps.h"

namespace lanelab {

/// Reads the traces of a run folder, in the order of its variants; those that are missing or damaged are left out.
Traces readTraces(const RunRecord& record, const QString& folder);

/// Without a window that could cancel.
Status runAll(const ReportSteps& steps);

/// Comparison, timelines of the variants and losses as inline SVG in one self-contained file.
ReportSteps htmlReportSteps(const std::shared_ptr<const RunRecord>& record, const Traces& traces, const QString& path);

/// What a folder is written of.
struct ReportedRun {
  std::shared_ptr<const RunRecord> record;
  Traces traces;
  QString folder = {};  ///< with the files of the run, to copy them under their names; empty: they are not
  std::vector<Exhibit> further = {};  ///< of panes, such as the curve of Time and Memory
};

struct ReportFolderSteps {
  ReportSteps steps;
  std::shared_ptr<const QStringList> files;  ///< written so far
  std::function<void()> undo;                ///< removes them, and the folder if it was made
};
/// report.html and report.pdf; experiment.json; the run's own files but weights, so that the folder opens as the run;
/// comparison, loss, of each variant stages-<slug>, and what is `further`, each as PNG, SVG and CSV; of each trace
/// timeline-<slug>.png and .svg, and gaps-<slug>.csv.
ReportFolderSteps reportFolderSteps(const ReportedRun& run, const QString& folder);

}  // namespace lanelab
