// SPDX-License-Identifier: GPL-3.0-only
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>

#include "base/atomic_file.h"
#include "base/text.h"
#include "engine/record/run_store.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/io/chrome/chrome_writer.h"
#include "profiler/io/tables/aligned_csv.h"
#include "profiler/io/tables/gaps_csv.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/export/picture.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/main_window.h"
#include "ui/window/report_files.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

/// "PNG picture (*.png)" -> "png", "Trace (*.json.gz)" -> "json.gz".
QString endingOf(const QString& filter) { return filter.section("(*.", 1).section(')', 0, 0); }

}  // namespace

QString MainWindow::suggestedName(const QString& what) const {
  return QString::fromStdString(slug(m_document->experiment().name)) + "-" + what;
}

void MainWindow::askForFile(const QString& what, const QString& title, const QStringList& filters,
                            const std::function<void(const QString&)>& then) {
  WindowSettings settings;
  auto* dialog = new QFileDialog(this, title, settings.exportFolder(), filters.join(";;"));
  dialog->setObjectName("exportDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  const auto use = [dialog](const QString& filter) { dialog->setDefaultSuffix(endingOf(filter)); };
  connect(dialog, &QFileDialog::filterSelected, dialog, use);
  use(filters.front());
  for (const auto& filter : filters)
    if (endingOf(filter) == settings.exportEnding(what)) {
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

void MainWindow::saidOrFailed(const Status& status, const QString& path) {
  if (status.ok()) {
    m_messages->clear();
    m_messages->say(MessageStrip::Kind::Information, tr("Saved %1").arg(QDir::toNativeSeparators(path)));
  } else {
    m_messages->say(MessageStrip::Kind::Error, QString::fromStdString(status.error().message));
  }
}

void MainWindow::exportPicture(const QString& what, const QString& title, const std::function<Picture()>& picture,
                               const std::function<std::string()>& csv) {
  askForFile(what, title,
             {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)"), tr("CSV table (*.csv)")},
             [this, picture, csv](const QString& path) {
               if (path.endsWith(".csv", Qt::CaseInsensitive)) {
                 saidOrFailed(writeFileAtomically(path.toStdString(), csv()), path);
                 return;
               }
               const auto format = pictureFormatOf(path);
               saidOrFailed(format.ok() ? savePicture(picture(), *format, path) : Status(format.error()), path);
             });
}

void MainWindow::exportTimeline() {
  const auto trace = m_timeline->trace();
  if (!trace) return;
  exportPicture(
      "timeline", tr("Export Timeline"), [this] { return m_timeline->picture(); },
      [trace, aligned = m_aligned] {
        return aligned ? alignedCsv(*aligned) : gapTableCsv(*trace, explainIdle(*trace), trace->range().start);
      });
}

void MainWindow::exportComparison() {
  exportPicture(
      "comparison", tr("Export Comparison"), [this] { return m_comparison->picture(); },
      [this] { return m_comparison->csv(); });
}

void MainWindow::exportLoss() {
  exportPicture(
      "loss", tr("Export Loss"), [this] { return m_loss->picture(); }, [this] { return m_loss->csv(); });
}

void MainWindow::exportSweep() {
  exportPicture(
      "split-sizes", tr("Export Split Sizes"), [this] { return m_sweep->picture(); },
      [this] { return m_sweep->csv(); });
}

void MainWindow::exportDeviceMap(const DeviceMapDialog& dialog) {
  exportPicture(
      "device-map", tr("Export Device Map"), [picture = dialog.picture()] { return picture; },
      [csv = dialog.csv()] { return csv; });
}

void MainWindow::exportReport() {
  if (!m_shown.record()) return;
  askForFile("report", tr("Export Report"), {tr("HTML page (*.html)")},
             [this, record = m_shown.record(), traces = m_shown.traces()](const QString& path) {
               saidOrFailed(writeHtmlReport(*record, traces, path), path);
             });
}

void MainWindow::exportFolder() {
  if (!m_shown.record()) return;
  auto* dialog = new QFileDialog(this, tr("Export Everything into a Folder"), WindowSettings().exportFolder());
  dialog->setObjectName("exportFolderDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, record = m_shown.record(), traces = m_shown.traces()](const QString& chosen) {
            const QString folder = QDir(chosen).filePath(suggestedName("report"));
            const auto written = writeReportFolder(*record, traces, folder);
            saidOrFailed(written.ok() ? Status() : Status(written.error()), folder);
          });
  dialog->open();
}

void MainWindow::exportTrace() {
  const auto trace = m_timeline->trace();
  if (!trace) return;
  askForFile("trace", tr("Export Trace"), {tr("Chrome trace, packed (*.json.gz)"), tr("Chrome trace (*.json)")},
             [this, trace](const QString& path) {
               m_reader.run([this, trace, path]() -> Background::Then {
                 const std::string problem = writeChromeTrace(*trace, path.toStdString());
                 return [this, path, problem] {
                   saidOrFailed(problem.empty() ? Status() : Status(Error::failed(problem)), path);
                 };
               });
             });
}

}  // namespace lanelab
