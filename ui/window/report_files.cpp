// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/report_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include "base/atomic_file.h"
#include "base/csv.h"
#include "base/text.h"
#include "engine/record/run_store.h"
#include "engine/report/comparison_text.h"
#include "engine/report/report.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/tables/csv_tables.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/export/picture.h"
#include "ui/timeline/view/timeline_picture.h"

namespace lanelab {

namespace {

bool hasLosses(const RunRecord& record) {
  for (const auto& variant : record.variants)
    for (const auto& repeat : variant.repeats)
      if (!repeat.losses.empty()) return true;
  return false;
}

ReportFigure figureOf(const Picture& picture) {
  return {picture.title.toStdString(), picture.caption.toStdString(), svgElement(picture).toStdString()};
}

std::string lossCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv, "variant,repeat,step,loss");
  for (const auto& variant : record.variants)
    for (std::size_t r = 0; r < variant.repeats.size(); ++r)
      for (std::size_t s = 0; s < variant.repeats[r].losses.size(); ++s)
        table.text(variant.name, CsvQuotes::Always)
            .index(r)
            .index(s)
            .number(exactNumber(variant.repeats[r].losses[s]))
            .endRow();
  return csv;
}

/// Writes into one folder, remembers what was written, and stops at the first failure.
class FolderWriter {
 public:
  explicit FolderWriter(const QString& folder) : m_folder(folder) {}

  void picture(const Picture& picture, const QString& stem) {
    save(stem + ".png", [&](const QString& path) { return savePicture(picture, PictureFormat::Png, path); });
    save(stem + ".svg", [&](const QString& path) { return savePicture(picture, PictureFormat::Svg, path); });
  }
  void text(const QString& name, const std::string& content) {
    save(name, [&](const QString& path) { return writeFileAtomically(path.toStdString(), content); });
  }
  void save(const QString& name, const std::function<Status(const QString&)>& write) {
    if (!m_status.ok()) return;
    const QString path = m_folder.filePath(name);
    m_status = write(path);
    if (m_status.ok()) m_files.append(path);
  }
  Result<QStringList> result() const {
    if (!m_status.ok()) return m_status.error();
    return m_files;
  }

 private:
  QDir m_folder;
  QStringList m_files;
  Status m_status;
};

}  // namespace

Traces readTraces(const RunRecord& record, const QString& folder) {
  Traces traces;
  for (const auto& variant : record.variants) {
    const std::string path = tracePathOf(folder.toStdString(), variant.name);
    if (!QFileInfo::exists(QString::fromStdString(path))) continue;
    if (const auto read = readTrace(path); read.ok()) traces.push_back(*read);
  }
  return traces;
}

Status writeHtmlReport(const RunRecord& record, const Traces& traces, const QString& path) {
  std::vector<ReportFigure> figures;
  figures.push_back(figureOf(comparisonPicture(record, Spread::Ci95)));
  if (hasSweep(record)) figures.push_back(figureOf(sweepPicture(record)));
  for (const auto& trace : traces) figures.push_back(figureOf(timelinePicture(trace)));
  if (hasLosses(record)) figures.push_back(figureOf(lossPicture(record)));
  return writeFileAtomically(path.toStdString(), htmlReport(record, figures));
}

Result<QStringList> writeReportFolder(const RunRecord& record, const Traces& traces, const QString& folder) {
  if (!QDir().mkpath(folder))
    return Error::failed(
        verbatim(QCoreApplication::translate("Report", "The folder %1 cannot be made. Choose one that can be written.")
                     .arg(folder)
                     .toStdString()));
  FolderWriter writer(folder);
  writer.save("report.html", [&](const QString& path) { return writeHtmlReport(record, traces, path); });
  writer.picture(comparisonPicture(record, Spread::Ci95), "comparison");
  writer.text("comparison.csv", comparisonCsv(record));
  if (hasSweep(record)) {
    writer.picture(sweepPicture(record), "split-sizes");
    writer.text("split-sizes.csv", sweepCsv(sweepPoints(record)));
  }
  for (const auto& trace : traces) {
    const QString name = QString::fromStdString(slug(trace->title));
    writer.picture(timelinePicture(trace), "timeline-" + name);
    writer.text("gaps-" + name + ".csv", gapTableCsv(*trace, explainIdle(*trace), trace->range().start));
  }
  if (hasLosses(record)) {
    writer.picture(lossPicture(record), "loss");
    writer.text("loss.csv", lossCsv(record));
  }
  return writer.result();
}

}  // namespace lanelab
