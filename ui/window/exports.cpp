// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/exports.h"

#include <QAbstractItemView>
#include <QDir>
#include <QMenu>
#include <QTemporaryDir>

#include "base/atomic_file.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "engine/library/run_archive.h"
#include "engine/record/run_store.h"
#include "profiler/io/chrome/chrome_writer.h"
#include "ui/board/layer_table.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/curve/memory_pane.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/experiment/experiment_document.h"
#include "ui/export/exhibit.h"
#include "ui/export/export_settings.h"
#include "ui/look/message_strip.h"
#include "ui/look/parts.h"
#include "ui/report/pdf_report.h"
#include "ui/report/report_files.h"
#include "ui/report/stages_picture.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_bookmarks.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/window/action_set.h"

namespace lanelab {

namespace {

constexpr std::uint64_t kLargestReport = 256ULL << 20U;

Status writeArchiveOf(const RunRecord& record, const QString& folder, const QString& report, const QString& path,
                      const WorkControl& control) {
  Result<std::string> html = readWholeFile(report.toStdString(), kLargestReport);
  if (!html.ok()) return html.error();
  return writeRunArchive(folder.toStdString(),
                         {{"experiment.json", toJson(record.experiment)}, {"report.html", std::move(*html)}},
                         path.toStdString(), control);
}

/// Nothing while a run is in progress, and of a trace that no run recorded.
QString experimentJson(const ShownTrace& shown) {
  const FinishedVariant* const finished = finishedVariant(shown);
  return finished && finished->record ? QString::fromStdString(toJson(finished->record->experiment)) : QString();
}

}  // namespace

Exports::Exports(const Views& views, const TimelinePresenter* presenter, const WindowParts& parts)
    : QObject(parts.window), m_views(views), m_presenter(presenter), m_parts(parts) {
  connect(parts.document, &ExperimentDocument::changed, this, &Exports::showPrefix);
  connect(parts.run, &ShownRun::recordChanged, this, &Exports::showPrefix);
  showPrefix();
  offerTables();
  m_views.timeline->setExhibit([this] { return timeline(); });
}

/// All files of the window begin with the name of the experiment, or of the run that is viewed beside it.
void Exports::showPrefix() {
  const std::string name =
      m_parts.run->isViewed() ? m_parts.run->viewedName().toStdString() : m_parts.document->experiment().name;
  m_parts.window->setProperty("exportPrefix", QString::fromStdString(slug(name)) + "-");
}

void Exports::offerTables() {
  const auto offer = [this](const char* table, const QString& name, const QString& title) {
    if (auto* const view = m_parts.window->findChild<QAbstractItemView*>(QLatin1String(table)))
      offerTable(view, name, title);
  };
  if (auto* const table = m_parts.window->findChild<QAbstractItemView*>("stageTable"))
    offerExhibit(table, [this] { return stages(); });
  offer("layerTable", "layers", tr("Layers"));
  offer("idleLanes", "lanes", tr("Lanes"));
  offer("idleGaps", "gaps", tr("Gaps"));
  offer("runs", "runs", tr("Runs"));
}

void Exports::addMenu(QMenu* file, ActionSet& actions) {
  auto* menu = ActionSet::addMenu(file, "export", tr("&Export"), "exportMenu");
  menu->menuAction()->setToolTip(tr("Export figures, tables and the report"));
  actions.add(menu, "exportComparison", tr("&Comparison..."), tr("Bars as PNG, SVG or PDF, the table as CSV"),
              QKeySequence("Ctrl+Shift+E"), "bars", [this] { save(m_views.comparison->exhibit()); });
  actions.add(menu, "exportTimeline", tr("&Timeline..."),
              tr("What the timeline shows, or its selected range, as PNG, SVG or PDF; the gaps as CSV"),
              QKeySequence("Ctrl+Shift+T"), "timeline", [this] { save(timeline()); });
  actions.add(menu, "exportLoss", tr("&Loss..."), tr("Loss curves as PNG, SVG or PDF, the values as CSV"),
              QKeySequence("Ctrl+Shift+L"), "lines", [this] { save(m_views.loss->exhibit()); });
  actions.add(menu, "exportSweep", tr("&Micro-Batch Sizes..."),
              tr("Step time by micro-batch size as PNG, SVG or PDF, the points as CSV"), {}, "lines",
              [this] { save(m_views.sweep->exhibit()); });
  actions.add(menu, "exportMemory", tr("Time and Me&mory..."),
              tr("Step time by peak memory as PNG, SVG or PDF, the points as CSV"), {}, "lines",
              [this] { save(m_views.memory->exhibit()); });
  actions.add(menu, "exportReport", tr("&Report..."), tr("The run as one self-contained HTML file, or as PDF pages"),
              QKeySequence("Ctrl+Shift+H"), "report", [this] { saveReport(); });
  actions.add(menu, "exportTrace", tr("Trace for &Perfetto..."), tr("The timeline's spans as Chrome trace JSON"), {},
              {}, [this] { saveTrace(); });
  actions.add(menu, "shareShownRun", tr("Share Run as &Archive..."),
              tr("The shown run with its experiment, traces and report as one file"), {}, {},
              [this] { shareRun(m_parts.run->folder()); });
  actions.add(menu, "exportFolder", tr("&Everything into a Folder..."),
              tr("The run's own files and experiment, its report, figures and tables, each in its file"), {}, {},
              [this] { saveReportFolder(); });
}

void Exports::updateActions(const ActionSet& actions) const {
  actions.setEnabled({"exportTimeline", "exportTrace"}, m_views.timeline->trace() != nullptr,
                     tr("No timeline is shown."));
  actions.setEnabled({"exportSweep"}, m_views.sweep->hasCurve(), tr("The shown run has one micro-batch size only."));
  actions.setEnabled({"exportMemory"}, m_views.memory->isCurrent(), tr("Time and Memory shows no curve."));
  actions.setEnabled({"exportComparison", "exportLoss", "exportReport", "exportFolder", "shareShownRun"},
                     m_parts.run->record() != nullptr, tr("No run is shown."));
}

void Exports::save(const Exhibit& exhibit) {
  if (exhibit.figure || exhibit.csv) exportExhibit(m_parts.window, exhibit);
}

/// What is visible, or the selected range.
Exhibit Exports::timeline() const {
  const Exhibit empty{"timeline", tr("Timeline"), {}, {}};
  if (!m_views.timeline->trace()) return empty;
  const std::optional<TimeRange> range = m_presenter->selectedRange();
  const auto figure = [this, range, json = experimentJson(m_presenter->shown())] {
    Picture picture = m_views.timeline->picture(range);
    picture.metadata = json;
    return picture;
  };
  return {empty.name, empty.title, figure, [shown = m_presenter->shown(), range] { return timelineCsv(shown, range); }};
}

/// Of the variant that the board shows.
Exhibit Exports::stages() const {
  const auto figure = [rows = m_views.stages->rows(), variant = m_parts.document->activeVariantName(),
                       caption = m_views.stages->caption(),
                       json = QString::fromStdString(toJson(m_parts.document->experiment()))] {
    return stagesPicture(rows, variant, caption, json);
  };
  Exhibit exhibit{"stages", tr("Stages"), {}, {}};
  if (m_views.stages->rows().empty()) return exhibit;
  exhibit.figure = figure;
  exhibit.csv = [rows = m_views.stages->rows()] { return stagesCsv(rows); };
  return exhibit;
}

void Exports::saveDeviceMap(const DeviceMapDialog& map) { save(map.exhibit()); }

void Exports::saveBookmarks(const TimelineBookmarks& bookmarks) {
  QWidget* const window = m_parts.window;
  askForNewFile(window, "bookmarks", tr("Export Bookmarks"), {tr("CSV table (*.csv)")},
                [window, &bookmarks](const QString& path) {
                  showOutcome(window, writeFileAtomically(path.toStdString(), bookmarks.csv()), path);
                });
}

void Exports::saveReport() {
  if (!m_parts.run->record()) return;
  askForNewFile(m_parts.window, "report", tr("Export Report"), {tr("HTML page (*.html)"), tr("PDF pages (*.pdf)")},
                [this, record = m_parts.run->record(), traces = m_parts.run->traces()](const QString& path) {
                  const bool paper = path.endsWith(".pdf", Qt::CaseInsensitive);
                  paint(paper ? pdfReportSteps(record, traces, path) : htmlReportSteps(record, traces, path), path,
                        [] {});
                });
}

void Exports::saveReportFolder() {
  if (!m_parts.run->record()) return;
  ReportedRun run{m_parts.run->record(), m_parts.run->traces(), m_parts.run->folder(), {}};
  // Beside a viewed run the curve is of another experiment.
  if (!m_parts.run->isViewed() && m_views.memory->isCurrent()) run.further.push_back(m_views.memory->exhibit());
  const auto write = [this, run = std::move(run)](const QString& chosen) {
    const QString folder = QDir(chosen).filePath(exportPrefix(m_parts.window) + "report");
    ReportFolderSteps report = reportFolderSteps(run, folder);
    paint(std::move(report.steps), folder, report.undo);
  };
  look::askForNewFolder(m_parts.window, "exportFolderDialog", tr("Export Everything into a Folder"),
                        ExportSettings().folder(), write);
}

void Exports::shareRun(const QString& folder) {
  if (folder.isEmpty()) return;
  askForNewFile(m_parts.window, "run", tr("Share Run as Archive"), {tr("Archive of a run (*.zip)")},
                [this, folder](const QString& path) { archive(folder, path); });
}

/// Its report has figures, which only the window's thread can paint.
void Exports::archive(const QString& folder, const QString& path) {
  m_writer.run([this, folder, path](const WorkControl&) -> LongWork::Then {
    auto read = std::make_shared<Result<RunRecord>>(readRun(folder.toStdString()));
    const Traces traces = read->ok() ? readTraces(**read, folder) : Traces();
    return [this, folder, path, read, traces] {
      if (!read->ok()) return showOutcome(m_parts.window, read->error(), path);
      const std::shared_ptr<const RunRecord> record(read, &**read);
      const auto place = std::make_shared<QTemporaryDir>();
      const QString report = place->filePath("report.html");
      std::vector<SteppedWork::Step> steps = htmlReportSteps(record, traces, report);
      const bool begun =
          m_painter.run(std::move(steps), [this, folder, path, record, place, report](const Status& done) {
            if (!done.ok()) return showOutcome(m_parts.window, done, path);
            m_writer.run([this, folder, path, record, place, report](const WorkControl& control) -> LongWork::Then {
              const Status written = writeArchiveOf(*record, folder, report, path, control);
              return [this, path, written] { showOutcome(m_parts.window, written, path); };
            });
          });
      if (!begun) showPainting();
    };
  });
}

void Exports::saveTrace() {
  const auto trace = m_views.timeline->trace();
  if (!trace) return;
  askForNewFile(m_parts.window, "trace", tr("Export Trace"),
                {tr("Chrome trace, packed (*.json.gz)"), tr("Chrome trace (*.json)")},
                [this, trace](const QString& path) {
                  m_writer.run([this, trace, path](const WorkControl& control) -> LongWork::Then {
                    const Status written = writeChromeTrace(*trace, path.toStdString(), control);
                    return [this, path, written] { showOutcome(m_parts.window, written, path); };
                  });
                });
}

void Exports::paint(std::vector<SteppedWork::Step> steps, const QString& path, const std::function<void()>& undo) {
  const bool begun = m_painter.run(std::move(steps), [this, path, undo](const Status& status) {
    if (!status.ok()) undo();
    showOutcome(m_parts.window, status, path);
  });
  if (!begun) showPainting();
}

void Exports::showPainting() {
  m_parts.messages->warn(tr("Another report is being written. Wait for its end, or cancel it."));
}

}  // namespace lanelab
