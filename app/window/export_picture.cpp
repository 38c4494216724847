// SPDX-License-Identifier: GPL-3.0-only
#include "app/window/tasks.h"

#include <QCoreApplication>

#include "base/text.h"
#include "engine/library/overlay/run_overlay.h"
#include "engine/record/run_store.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/export/picture.h"
#include "ui/look/plain_text.h"
#include "ui/overlay/overlay_painter.h"
#include "ui/report/pdf_report.h"
#include "ui/report/report_files.h"
#include "ui/timeline/view/timeline_picture.h"

namespace lanelab {

namespace {

Result<std::string> variantFor(const RunRecord& record, const QString& wanted) {
  std::vector<std::string> names;
  for (const auto& variant : record.variants) names.push_back(variant.name);
  if (names.empty()) return Error::badInput("The run holds no variant, so there is no timeline to draw.");
  if (wanted.isEmpty()) return names.front();
  if (record.find(wanted.toStdString())) return wanted.toStdString();
  return look::badInput(QCoreApplication::translate("Export", "The run has no variant %1. It is one of: %2.")
                            .arg(wanted, QString::fromStdString(joinOr(names))));
}

Result<Picture> timelineOf(const RunRecord& record, const Options& options) {
  const auto variant = variantFor(record, options.variant);
  if (!variant.ok()) return variant.error();
  const auto read = readTrace(tracePathOf(options.path.toStdString(), *variant));
  if (!read.ok()) return read.error();
  return timelinePicture(*read);
}

Result<Picture> pictureFor(const RunRecord& record, const Options& options) {
  if (options.what == "comparison") return comparisonPicture(record, Spread::Ci95);
  if (options.what == "sweep") return sweepPicture(record);
  if (options.what == "loss") return lossPicture(record);
  return timelineOf(record, options);
}

Result<Picture> overlayFor(const Options& options) {
  std::vector<RunEntry> runs;
  for (const QString& folder : options.overlaid) runs.push_back(readEntry(folder.toStdString()));
  const Overlay overlay = overlayOf(readOverlaid(runs), options.overlay);
  if (overlay.curves.empty())
    return look::failed(
        QCoreApplication::translate("Export", "None of the runs has this metric, so there is no curve to draw."));
  return overlayPicture(overlay);
}

/// Of the run or imported trace in the folder.
Result<Picture> pictureIn(const Options& options) {
  if (options.what == "overlay") return overlayFor(options);
  const std::string folder = options.path.toStdString();
  if (options.what == "timeline" && holdsImport(folder)) {
    const auto read = readTrace(importedTracePath(folder));
    if (!read.ok()) return read.error();
    return timelinePicture(*read);
  }
  const auto record = readRun(folder);
  if (!record.ok()) return record.error();
  return pictureFor(*record, options);
}

/// As one file, or everything in a folder.
Status writeReport(const Options& options) {
  Result<RunRecord> read = readRun(options.path.toStdString());
  if (!read.ok()) return read.error();
  const auto record = std::make_shared<const RunRecord>(std::move(*read));
  const Traces traces = readTraces(*record, options.path);
  if (options.what == "everything") return runAll(reportFolderSteps({record, traces, options.path}, options.out).steps);
  return runAll(options.format == "pdf" ? pdfReportSteps(record, traces, options.out)
                                        : htmlReportSteps(record, traces, options.out));
}

}  // namespace

Status exportFromFolder(const Options& options) {
  if (options.what == "report" || options.what == "everything") return writeReport(options);
  const auto picture = pictureIn(options);
  if (!picture.ok()) return picture.error();
  return savePicture(*picture, *pictureFormatOf("." + options.format), options.out);
}

}  // namespace lanelab
