// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/exports.h"

#include <QAbstractItemView>
#include <QDir>
#include <QFileDialog>
#include <QMenu>

#include "base/atomic_file.h"
#include "base/text.h"
#include "profiler/io/chrome/chrome_writer.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/experiment/experiment_document.h"
#include "ui/export/exhibit.h"
#include "ui/export/export_settings.h"
#include "ui/look/message_strip.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_bookmarks.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/window/action_set.h"
#include "ui/window/report_files.h"

namespace lanelab {

Exports::Exports(const Views& views, const TimelinePresenter* presenter, const WindowParts& parts)
    : QObject(parts.window), m_views(views), m_presenter(presenter), m_parts(parts) {
  connect(parts.document, &ExperimentDocument::changed, this, &Exports::showPrefix);
  showPrefix();
  offerTables();
}

/// All files of the window begin with the experiment's name.
void Exports::showPrefix() {
  m_parts.window->setProperty("exportPrefix", QString::fromStdString(slug(m_parts.document->experiment().name)) + "-");
}

void Exports::offerTables() {
  const auto offer = [this](const char* table, const QString& name, const QString& title) {
    if (auto* const view = m_parts.window->findChild<QAbstractItemView*>(QLatin1String(table)))
      offerTable(view, name, title);
  };
  offer("stageTable", "stages", tr("Stages"));
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
              QKeySequence("Ctrl+Shift+T"), "timeline", [this] { saveTimeline(); });
  actions.add(menu, "exportLoss", tr("&Loss..."), tr("Loss curves as PNG, SVG or PDF, the values as CSV"),
              QKeySequence("Ctrl+Shift+L"), "lines", [this] { save(m_views.loss->exhibit()); });
  actions.add(menu, "exportSweep", tr("&Micro-Batch Sizes..."),
              tr("Step time by micro-batch size as PNG, SVG or PDF, the points as CSV"), {}, "lines",
              [this] { save(m_views.sweep->exhibit()); });
  actions.add(menu, "exportReport", tr("&Report..."), tr("One self-contained HTML file of the run"),
              QKeySequence("Ctrl+Shift+H"), "report", [this] { saveReport(); });
  actions.add(menu, "exportTrace", tr("Trace for &Perfetto..."), tr("The timeline's spans as Chrome trace JSON"), {},
              {}, [this] { saveTrace(); });
  actions.add(menu, "exportFolder", tr("&Everything into a Folder..."),
              tr("Report, figures and tables of the run, each in its file"), {}, {}, [this] { saveReportFolder(); });
}

void Exports::updateActions(const ActionSet& actions) const {
  actions.setEnabled({"exportTimeline", "exportTrace"}, m_views.timeline->trace() != nullptr,
                     tr("No timeline is shown."));
  actions.setEnabled({"exportSweep"}, m_views.sweep->hasCurve(), tr("The shown run has one micro-batch size only."));
  actions.setEnabled({"exportComparison", "exportLoss", "exportReport", "exportFolder"},
                     m_parts.run->record() != nullptr, tr("No run is shown."));
}

void Exports::save(const Exhibit& exhibit) { exportExhibit(m_parts.window, exhibit); }

void Exports::saveTimeline() {
  if (!m_views.timeline->trace()) return;
  const std::optional<TimeRange> range = m_presenter->selectedRange();
  save({"timeline", tr("Timeline"), [this, range] { return m_views.timeline->picture(range); },
        [shown = m_presenter->shown(), range] { return timelineCsv(shown, range); }});
}

void Exports::saveDeviceMap(const DeviceMapDialog& map) { save(map.exhibit()); }

void Exports::saveBookmarks(const TimelineBookmarks& bookmarks) {
  saveFile("bookmarks", tr("Export Bookmarks"), {tr("CSV table (*.csv)")},
           [&bookmarks](const QString& path) { return writeFileAtomically(path.toStdString(), bookmarks.csv()); });
}

void Exports::saveReport() {
  if (!m_parts.run->record()) return;
  askForNewFile(m_parts.window, "report", tr("Export Report"), {tr("HTML page (*.html)")},
                [this, record = m_parts.run->record(), traces = m_parts.run->traces()](const QString& path) {
                  paint(htmlReportSteps(record, traces, path), path, [] {});
                });
}

void Exports::saveReportFolder() {
  if (!m_parts.run->record()) return;
  chooseFolder("report", tr("Export Everything into a Folder"),
               [this, record = m_parts.run->record(), traces = m_parts.run->traces()](const QString& folder) {
                 ReportFolderSteps report = reportFolderSteps(record, traces, folder);
                 paint(std::move(report.steps), folder, report.undo);
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

void Exports::saveFile(const QString& what, const QString& title, const QStringList& filters,
                       const std::function<Status(const QString&)>& write) {
  QWidget* const window = m_parts.window;
  askForNewFile(window, what, title, filters,
                [window, write](const QString& path) { showOutcome(window, write(path), path); });
}

void Exports::chooseFolder(const QString& what, const QString& title, const std::function<void(const QString&)>& then) {
  auto* dialog = new QFileDialog(m_parts.window, title, ExportSettings().folder());
  dialog->setObjectName("exportFolderDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, [this, what, then](const QString& chosen) {
    then(QDir(chosen).filePath(exportPrefix(m_parts.window) + what));
  });
  dialog->open();
}

void Exports::paint(std::vector<SteppedWork::Step> steps, const QString& path, const std::function<void()>& undo) {
  const bool begun = m_painter.run(std::move(steps), [this, path, undo](const Status& status) {
    if (!status.ok()) undo();
    showOutcome(m_parts.window, status, path);
  });
  if (!begun)
    m_parts.messages->say(MessageStrip::Kind::Warning,
                          tr("Another report is being written. Wait for its end, or cancel it."));
}

}  // namespace lanelab
