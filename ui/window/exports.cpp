// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/exports.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

#include "base/atomic_file.h"
#include "base/text.h"
#include "profiler/io/chrome/chrome_writer.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_bookmarks.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/window/action_set.h"
#include "ui/window/report_files.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

/// "PNG picture (*.png)" -> "png", "Trace (*.json.gz)" -> "json.gz".
QString extensionOf(const QString& filter) { return filter.section("(*.", 1).section(')', 0, 0); }

}  // namespace

Exports::Exports(const Views& views, const TimelinePresenter* presenter, const WindowParts& parts)
    : QObject(parts.window), m_views(views), m_presenter(presenter), m_parts(parts) {}

template <class View>
void Exports::saveChart(const View& view, const QString& what, const QString& title) {
  savePicture(
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
  actions.setEnabled({"exportComparison", "exportLoss", "exportReport", "exportFolder"},
                     m_parts.run->record() != nullptr);
}

void Exports::saveTimeline() {
  if (!m_views.timeline->trace()) return;
  savePicture(
      "timeline", tr("Export Timeline"), [this] { return m_views.timeline->picture(); },
      [shown = m_presenter->shown()] { return timelineCsv(shown); });
}

void Exports::saveDeviceMap(const DeviceMapDialog& map) {
  savePicture(
      "device-map", tr("Export Device Map"), [picture = map.picture()] { return picture; },
      [csv = map.csv()] { return csv; });
}

void Exports::saveBookmarks(const TimelineBookmarks& bookmarks) {
  saveFile("bookmarks", tr("Export Bookmarks"), {tr("CSV table (*.csv)")},
           [&bookmarks](const QString& path) { return writeFileAtomically(path.toStdString(), bookmarks.csv()); });
}

void Exports::saveReport() {
  if (!m_parts.run->record()) return;
  chooseFile("report", tr("Export Report"), {tr("HTML page (*.html)")},
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
  chooseFile("trace", tr("Export Trace"), {tr("Chrome trace, packed (*.json.gz)"), tr("Chrome trace (*.json)")},
             [this, trace](const QString& path) {
               m_writer.run([this, trace, path](const WorkControl& control) -> LongWork::Then {
                 const Status written = writeChromeTrace(*trace, path.toStdString(), control);
                 return [this, path, written] { showOutcome(written, path); };
               });
             });
}

QString Exports::suggestedName(const QString& what) const {
  return QString::fromStdString(slug(m_parts.document->experiment().name)) + "-" + what;
}

void Exports::chooseFile(const QString& what, const QString& title, const QStringList& filters,
                         const std::function<void(const QString&)>& then) {
  WindowSettings settings;
  auto* dialog = new QFileDialog(m_parts.window, title, settings.exportFolder(), filters.join(";;"));
  dialog->setObjectName("exportDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  const auto use = [dialog](const QString& filter) { dialog->setDefaultSuffix(extensionOf(filter)); };
  connect(dialog, &QFileDialog::filterSelected, dialog, use);
  use(filters.front());
  for (const auto& filter : filters)
    if (extensionOf(filter) == settings.exportEnding(what)) {
      dialog->selectNameFilter(filter);
      use(filter);
    }
  dialog->selectFile(suggestedName(what));
  connect(dialog, &QFileDialog::fileSelected, this, [what, then](const QString& path) {
    WindowSettings().setExport(what, QFileInfo(path).absolutePath(), QFileInfo(path).suffix());
    then(path);
  });
  dialog->open();
}

void Exports::saveFile(const QString& what, const QString& title, const QStringList& filters,
                       const std::function<Status(const QString&)>& write) {
  chooseFile(what, title, filters, [this, write](const QString& path) { showOutcome(write(path), path); });
}

void Exports::savePicture(const QString& what, const QString& title, const std::function<Picture()>& picture,
                          const std::function<std::string()>& csv) {
  saveFile(what, title,
           {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)"), tr("CSV table (*.csv)")},
           [picture, csv](const QString& path) -> Status {
             if (path.endsWith(".csv", Qt::CaseInsensitive)) return writeFileAtomically(path.toStdString(), csv());
             const auto format = pictureFormatOf(path);
             return format.ok() ? lanelab::savePicture(picture(), *format, path) : Status(format.error());
           });
}

void Exports::chooseFolder(const QString& what, const QString& title, const std::function<void(const QString&)>& then) {
  auto* dialog = new QFileDialog(m_parts.window, title, WindowSettings().exportFolder());
  dialog->setObjectName("exportFolderDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, what, then](const QString& chosen) { then(QDir(chosen).filePath(suggestedName(what))); });
  dialog->open();
}

void Exports::paint(std::vector<SteppedWork::Step> steps, const QString& path, const std::function<void()>& undo) {
  const bool begun = m_painter.run(std::move(steps), [this, path, undo](const Status& status) {
    if (!status.ok()) undo();
    showOutcome(status, path);
  });
  if (!begun)
    m_parts.messages->say(MessageStrip::Kind::Warning,
                          tr("Another report is being written. Wait for its end, or cancel it."));
}

void Exports::showOutcome(const Status& status, const QString& path) {
  if (!status.ok() && status.error().kind == Error::Kind::Cancelled)
    return m_parts.messages->say(
        MessageStrip::Kind::Information,
        tr("The export was cancelled. %1 was not written.").arg(QDir::toNativeSeparators(path)));
  if (!status.ok())
    return m_parts.messages->say(MessageStrip::Kind::Error, QString::fromStdString(status.error().message));
  m_parts.messages->clear();
  m_parts.messages->say(MessageStrip::Kind::Information, tr("Saved %1").arg(QDir::toNativeSeparators(path)));
}

}  // namespace lanelab
