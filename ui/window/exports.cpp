// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/exports.h"

#include <QAction>
#include <QMenu>

#include "base/atomic_file.h"
#include "profiler/io/chrome/chrome_writer.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_bookmarks.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/window/action_set.h"
#include "ui/window/export_dialog.h"
#include "ui/window/report_files.h"

namespace lanelab {

Exports::Exports(const Views& views, const TimelinePresenter* presenter, const ShownRun* run, ExportDialog* dialog)
    : QObject(dialog), m_views(views), m_presenter(presenter), m_run(run), m_dialog(dialog) {}

template <class View>
void Exports::saveChart(const View& view, const QString& what, const QString& title) {
  m_dialog->savePicture(
      what, title, [&view] { return view.picture(); }, [&view] { return view.csv(); });
}

void Exports::addMenu(QMenu* file, ActionSet& actions) {
  auto* menu = ActionSet::addMenu(file, "export", tr("&Export"), "exportMenu");
  menu->menuAction()->setToolTip(tr("Save pictures, tables and the report"));
  actions.add(menu, "exportComparison", tr("&Comparison..."), tr("Bars as PNG, SVG or PDF, the table as CSV"),
              QKeySequence("Ctrl+Shift+E"), "bars",
              [this] { saveChart(*m_views.comparison, "comparison", tr("Export Comparison")); });
  actions.add(menu, "exportTimeline", tr("&Timeline..."),
              tr("What the timeline shows as PNG, SVG or PDF, its gaps as CSV"), QKeySequence("Ctrl+Shift+T"),
              "timeline", [this] { saveTimeline(); });
  actions.add(menu, "exportLoss", tr("&Loss..."), tr("Loss curves as PNG, SVG or PDF, the values as CSV"),
              QKeySequence("Ctrl+Shift+L"), "lines", [this] { saveChart(*m_views.loss, "loss", tr("Export Loss")); });
  actions.add(menu, "exportSweep", tr("&Split Sizes..."),
              tr("Step time by split size as PNG, SVG or PDF, the points as CSV"), {}, "lines",
              [this] { saveChart(*m_views.sweep, "split-sizes", tr("Export Split Sizes")); });
  actions.add(menu, "exportReport", tr("&Report..."), tr("One self-contained HTML file of the run"),
              QKeySequence("Ctrl+Shift+H"), "report", [this] { saveReport(); });
  actions.add(menu, "exportTrace", tr("Trace for &Perfetto..."), tr("The timeline's spans as Chrome trace JSON"), {},
              {}, [this] { saveTrace(); });
  actions.add(menu, "exportFolder", tr("&Everything into a Folder..."),
              tr("Report, pictures and tables of the run, each in its file"), {}, {}, [this] { saveReportFolder(); });
}

void Exports::updateActions(const ActionSet& actions) const {
  actions.setEnabled({"exportTimeline", "exportTrace"}, m_views.timeline->trace() != nullptr);
  actions.setEnabled({"exportSweep"}, m_views.sweep->hasCurve());
  actions.setEnabled({"exportComparison", "exportLoss", "exportReport", "exportFolder"}, m_run->record() != nullptr);
}

void Exports::saveTimeline() {
  if (!m_views.timeline->trace()) return;
  m_dialog->savePicture(
      "timeline", tr("Export Timeline"), [this] { return m_views.timeline->picture(); },
      [shown = m_presenter->shown()] { return timelineCsv(shown); });
}

void Exports::saveDeviceMap(const DeviceMapDialog& map) {
  m_dialog->savePicture(
      "device-map", tr("Export Device Map"), [picture = map.picture()] { return picture; },
      [csv = map.csv()] { return csv; });
}

void Exports::saveBookmarks(const TimelineBookmarks& bookmarks) {
  m_dialog->saveFile("bookmarks", tr("Export Bookmarks"), {tr("CSV table (*.csv)")}, [&bookmarks](const QString& path) {
    return writeFileAtomically(path.toStdString(), bookmarks.csv());
  });
}

void Exports::saveReport() {
  if (!m_run->record()) return;
  m_dialog->saveFile("report", tr("Export Report"), {tr("HTML page (*.html)")},
                     [record = m_run->record(), traces = m_run->traces()](const QString& path) {
                       return writeHtmlReport(*record, traces, path);
                     });
}

void Exports::saveReportFolder() {
  if (!m_run->record()) return;
  m_dialog->saveFolder("report", tr("Export Everything into a Folder"),
                       [record = m_run->record(), traces = m_run->traces()](const QString& folder) {
                         const auto written = writeReportFolder(*record, traces, folder);
                         return written.ok() ? Status() : Status(written.error());
                       });
}

void Exports::saveTrace() {
  const auto trace = m_views.timeline->trace();
  if (!trace) return;
  m_dialog->chooseFile("trace", tr("Export Trace"),
                       {tr("Chrome trace, packed (*.json.gz)"), tr("Chrome trace (*.json)")},
                       [this, trace](const QString& path) {
                         m_writer.run([this, trace, path]() -> Background::Then {
                           const Status written = writeChromeTrace(*trace, path.toStdString());
                           return [this, path, written] { m_dialog->showOutcome(written, path); };
                         });
                       });
}

}  // namespace lanelab
