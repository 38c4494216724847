// SPDX-License-Identifier: GPL-3.0-only
#include "ui/report/report_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/csv.h"
#include "base/text.h"
#include "engine/experiment/resolution.h"
#include "engine/library/run_archive.h"
#include "engine/record/run_store.h"
#include "engine/report/comparison_text.h"
#include "engine/report/report.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/io/html/timeline_html.h"
#include "profiler/io/import/trace_import.h"
#include "profiler/io/tables/csv_tables.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/export/picture.h"
#include "ui/look/plain_text.h"
#include "ui/report/pdf_report.h"
#include "ui/report/stages_picture.h"
#include "ui/timeline/view/timeline_picture.h"

namespace lanelab {

namespace {

/// Title and caption are the report's to write, so that each is there once.
ReportFigure figureOf(const Picture& picture) {
  Picture bare = picture;
  bare.title.clear();
  bare.caption.clear();
  return {picture.title.toStdString(), picture.caption.toStdString(), svgElement(bare).toStdString()};
}

std::string lossCsv(const RunRecord& record) {
  std::string csv;
  CsvTable table(csv, "variant,repeat,step,loss");
  for (const auto& variant : record.variants)
    for (std::size_t r = 0; r < variant.repeats.size(); ++r)
      for (std::size_t s = 0; s < variant.repeats[r].losses.size(); ++s)
        table.text(variant.name).index(r).index(s).number(exactNumber(variant.repeats[r].losses[s])).endRow();
  return csv;
}

using Record = std::shared_ptr<const RunRecord>;

/// Also of a trace of gigabytes, which need not be read for it.
Status copyAtomically(const std::string& from, const std::string& path) {
  PartialFile partial = PartialFile::beside(path);
  const FileHandle made = partial.create();
  if (!made.ok()) return cannotWrite(path, errno);
  std::error_code error;
  std::filesystem::copy_file(from, partial.path(), std::filesystem::copy_options::overwrite_existing, error);
  if (error) return cannotWrite(path, error.value());
  const int failed = partial.renameTo(path);
  return failed == 0 ? Status() : Status(cannotWrite(path, failed));
}

/// Steps that write files into one folder, and remember them.
class FolderSteps {
 public:
  FolderSteps(const QString& folder, std::shared_ptr<QStringList> files)
      : m_folder(folder), m_files(std::move(files)) {}

  void picture(const std::function<Picture()>& paint, const QString& stem) {
    save(stem + ".png", [paint](const QString& path) { return savePicture(paint(), PictureFormat::Png, path); });
    save(stem + ".svg", [paint](const QString& path) { return savePicture(paint(), PictureFormat::Svg, path); });
  }
  void text(const QString& name, const std::function<std::string()>& content) {
    save(name, [content](const QString& path) { return writeFileAtomically(path.toStdString(), content()); });
  }
  void exhibit(const Exhibit& shown) {
    if (shown.figure) picture(shown.figure, shown.name);
    if (shown.csv) text(shown.name + ".csv", shown.csv);
  }
  void copy(const QString& name, const QString& from) {
    save(name, [from](const QString& path) { return copyAtomically(from.toStdString(), path.toStdString()); });
  }
  void append(ReportSteps steps) {
    for (SteppedWork::Step& step : steps) m_steps.push_back(std::move(step));
  }
  void note(const QString& name) {
    save(name, [](const QString&) { return Status(); });
  }
  QString pathOf(const QString& name) const { return m_folder.filePath(name); }
  ReportSteps steps() && { return std::move(m_steps); }

 private:
  void save(const QString& name, const std::function<Status(const QString&)>& write) {
    m_steps.push_back({writingPhase(name), [write, files = m_files, path = pathOf(name)] {
                         const Status written = write(path);
                         if (written.ok()) files->append(path);
                         return written;
                       }});
  }

  QDir m_folder;
  std::shared_ptr<QStringList> m_files;
  ReportSteps m_steps;
};

Status makeFolder(const QString& folder) {
  if (QDir().mkpath(folder)) return {};
  return look::failed(
      QCoreApplication::translate("Report", "The folder %1 cannot be made. Choose one that can be written.")
          .arg(folder));
}

void addReports(FolderSteps& to, const ReportedRun& run) {
  to.append(htmlReportSteps(run.record, run.traces, to.pathOf("report.html")));
  to.note("report.html");
  to.append(pdfReportSteps(run.record, run.traces, to.pathOf("report.pdf")));
  to.note("report.pdf");
}

void addRunFiles(FolderSteps& to, const ReportedRun& run) {
  to.text("experiment.json", [record = run.record] { return toJson(record->experiment); });
  if (run.folder.isEmpty()) return;
  for (const std::string& file : sharedFiles(run.folder.toStdString())) {
    const QString name = QString::fromStdString(file);
    to.copy(name, QDir(run.folder).filePath(name));
  }
}

void addCharts(FolderSteps& to, const Record& record) {
  to.picture([record] { return comparisonPicture(*record, Spread::Ci95); }, "comparison");
  to.text("comparison.csv", [record] { return comparisonCsv(*record); });
  if (hasSweep(*record)) {
    to.picture([record] { return sweepPicture(*record); }, "split-sizes");
    to.text("split-sizes.csv", [record] { return sweepCsv(sweepPoints(*record)); });
  }
  if (!hasLosses(*record)) return;
  to.picture([record] { return lossPicture(*record); }, "loss");
  to.text("loss.csv", [record] { return lossCsv(*record); });
}

/// Of variants whose network can be opened here.
void addStages(FolderSteps& to, const Experiment& experiment) {
  const std::shared_ptr<const Resolution> resolution = resolve(experiment);
  if (!resolution->hasModel()) return;
  for (const ResolvedVariant& variant : resolution->variants()) {
    const QString name = QString::fromStdString(variant.config().name);
    const QString stem = "stages-" + QString::fromStdString(slug(variant.config().name));
    const std::vector<StageRow> rows = stageRows(variant);
    const QString caption = stagesCaption(rows.size(), variant.replicas(), variant.splitSize());
    const QString json = QString::fromStdString(toJson(experiment));
    to.picture([=] { return stagesPicture(rows, name, caption, json); }, stem);
    to.text(stem + ".csv", [rows] { return stagesCsv(rows); });
  }
}

void addTimelines(FolderSteps& to, const ReportedRun& run) {
  for (const auto& trace : run.traces) {
    const QString name = QString::fromStdString(slug(trace->title));
    to.picture(
        [trace, record = run.record] {
          Picture picture = timelinePicture(trace);
          picture.metadata = QString::fromStdString(toJson(record->experiment));
          return picture;
        },
        "timeline-" + name);
    to.text("gaps-" + name + ".csv",
            [trace] { return gapTableCsv(*trace, explainIdle(*trace), trace->range().start); });
  }
}

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

Status runAll(const ReportSteps& steps) {
  for (const SteppedWork::Step& step : steps)
    if (const Status done = step.run(); !done.ok()) return done;
  return {};
}

/// Each figure of the page is a step, and the page is.
ReportSteps htmlReportSteps(const Record& record, const Traces& traces, const QString& path) {
  const auto figures = std::make_shared<std::vector<ReportFigure>>();
  const std::string phase = writingPhase(QFileInfo(path).fileName());
  ReportSteps steps;
  for (auto& picture : reportPictures(record, traces))
    steps.push_back({phase, [figures, make = std::move(picture)]() -> Status {
                       figures->push_back(figureOf(make()));
                       return {};
                     }});
  for (const auto& trace : traces)
    steps.push_back({phase, [figures, trace]() -> Status {
                       ImportedTrace own;
                       own.trace = trace;
                       figures->push_back({"Timeline, " + trace->title, kTimelineCaption, timelineElement(own)});
                       return {};
                     }});
  steps.push_back({phase, [record, figures, path] {
                     return writeFileAtomically(path.toStdString(), htmlReport(*record, *figures));
                   }});
  return steps;
}

ReportFolderSteps reportFolderSteps(const ReportedRun& run, const QString& folder) {
  const auto files = std::make_shared<QStringList>();
  const bool made = !QFileInfo::exists(folder);
  FolderSteps to(folder, files);
  to.append({{writingPhase(QDir(folder).dirName()), [folder] { return makeFolder(folder); }}});
  addReports(to, run);
  addRunFiles(to, run);
  addCharts(to, run.record);
  addStages(to, run.record->experiment);
  addTimelines(to, run);
  for (const Exhibit& exhibit : run.further) to.exhibit(exhibit);
  return {std::move(to).steps(), files, [files, folder, made] {
            for (const QString& file : *files) QFile::remove(file);
            if (made) QDir().rmdir(folder);
          }};
}

}  // namespace lanelab
