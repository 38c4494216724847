// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/report_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
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
#include "ui/charts/comparison_rows.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/export/picture.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/view/timeline_picture.h"

namespace lanelab {

namespace {

bool hasLosses(const RunRecord& record) {
  for (const auto& variant : record.variants)
    for (const auto& repeat : variant.repeats)
      if (!repeat.losses.empty()) return true;
  return false;
}

/// Title and caption are the report's to write, so that each is there once.
ReportFigure figureOf(const QString& title, const Picture& picture) {
  Picture bare = picture;
  bare.title.clear();
  bare.caption.clear();
  return {title.toStdString(), picture.caption.toStdString(), svgElement(bare).toStdString()};
}

ReportFigure figureOf(const Picture& picture) { return figureOf(picture.title, picture); }

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

using Record = std::shared_ptr<const RunRecord>;

std::string phaseOf(const QString& file) {
  return QCoreApplication::translate("Report", "Writing %1").arg(file).toStdString();
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
    m_steps.push_back({phaseOf(name), [write, files = m_files, path = pathOf(name)] {
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
  const std::string phase = phaseOf(QFileInfo(path).fileName());
  ReportSteps steps;
  const auto figure = [&](std::function<ReportFigure()> make) {
    steps.push_back({phase, [figures, make = std::move(make)]() -> Status {
                       figures->push_back(make());
                       return {};
                     }});
  };
  figure([record] {
    const QString title = QCoreApplication::translate("Report", "Time per repeat");  // the headline is above
    Picture picture = comparisonPicture(*record, Spread::Ci95);
    picture.caption = comparisonRows(*record, Spread::Ci95).caption;  // the verdict on the run is above, too
    return figureOf(title, picture);
  });
  if (hasSweep(*record)) figure([record] { return figureOf(sweepPicture(*record)); });
  for (const auto& trace : traces) figure([trace] { return figureOf(timelinePicture(trace)); });
  if (hasLosses(*record)) figure([record] { return figureOf(lossPicture(*record)); });
  steps.push_back({phase, [record, figures, path] {
                     return writeFileAtomically(path.toStdString(), htmlReport(*record, *figures));
                   }});
  return steps;
}

ReportFolderSteps reportFolderSteps(const Record& record, const Traces& traces, const QString& folder) {
  const auto files = std::make_shared<QStringList>();
  const bool made = !QFileInfo::exists(folder);
  FolderSteps to(folder, files);
  to.append({{phaseOf(QDir(folder).dirName()), [folder] { return makeFolder(folder); }}});
  to.append(htmlReportSteps(record, traces, to.pathOf("report.html")));
  to.note("report.html");
  to.picture([record] { return comparisonPicture(*record, Spread::Ci95); }, "comparison");
  to.text("comparison.csv", [record] { return comparisonCsv(*record); });
  if (hasSweep(*record)) {
    to.picture([record] { return sweepPicture(*record); }, "split-sizes");
    to.text("split-sizes.csv", [record] { return sweepCsv(sweepPoints(*record)); });
  }
  for (const auto& trace : traces) {
    const QString name = QString::fromStdString(slug(trace->title));
    to.picture(
        [trace, record] {
          Picture picture = timelinePicture(trace);
          picture.metadata = QString::fromStdString(toJson(record->experiment));
          return picture;
        },
        "timeline-" + name);
    to.text("gaps-" + name + ".csv",
            [trace] { return gapTableCsv(*trace, explainIdle(*trace), trace->range().start); });
  }
  if (hasLosses(*record)) {
    to.picture([record] { return lossPicture(*record); }, "loss");
    to.text("loss.csv", [record] { return lossCsv(*record); });
  }
  return {std::move(to).steps(), files, [files, folder, made] {
            for (const QString& file : *files) QFile::remove(file);
            if (made) QDir().rmdir(folder);
          }};
}

}  // namespace lanelab
