// SPDX-License-Identifier: GPL-3.0-only
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QUndoStack>
#include <cstdio>

#include "base/regular_file.h"
#include "base/text.h"
#include "engine/record/run_store.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/import/trace_import.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/loss_chart.h"
#include "ui/export/picture.h"
#include "ui/history/runs_list.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/main_window.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

/// Whether the path is a trace: by its name, or of JSON by how it begins. An experiment is an object without
/// `traceEvents`.
bool holdsTrace(const QString& path) {
  if (QFileInfo(path).isDir()) return holdsImport(path.toStdString());
  for (const char* const ending : {".json.gz", ".gz", ".pftrace", ".perfetto-trace", ".sqlite", ".nsys-rep"}) {
    if (path.endsWith(QLatin1String(ending), Qt::CaseInsensitive)) return true;
  }
  constexpr std::size_t kBeginning = 64 * 1024;
  const OpenedFile opened = openRegularFile(path.toStdString());
  QByteArray beginning(kBeginning, '\0');
  beginning.truncate(
      opened.file ? static_cast<qsizetype>(std::fread(beginning.data(), 1, kBeginning, opened.file.get())) : 0);
  return beginning.trimmed().startsWith('[') || beginning.contains("\"traceEvents\"");
}

QString droppedPath(const QMimeData& data) {
  const auto urls = data.urls();
  return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

}  // namespace

bool MainWindow::refuseWhileRunning() {
  if (m_running)
    m_messages->say(MessageStrip::Kind::Warning, tr("A run goes on. Cancel it first (Ctrl+.), or wait for its end."));
  return m_running;
}

void MainWindow::newExperiment() {
  if (refuseWhileRunning()) return;
  afterSaving([this] {
    openExperiment(blankExperiment(m_devices), {});
    m_document->setActiveVariant(1);
  });
}

void MainWindow::openExperiment(const Experiment& experiment, const QString& path) {
  m_messages->clear();
  m_shown.clear();
  m_imported.reset();
  m_document->reset(experiment, path);
  m_document->setActiveVariant(std::max(0, static_cast<int>(experiment.variants.size()) - 1));
  m_comparison->setRuns({});
  m_loss->setCurves({});
  raisePane("stagesDock");
  showTrace();
  showDocument();
}

void MainWindow::openPath(const QString& path) {
  if (refuseWhileRunning()) return;
  const QFileInfo info(path);
  if (!info.exists()) {
    m_messages->say(MessageStrip::Kind::Error,
                    tr("%1 does not exist. Check the name.").arg(QDir::toNativeSeparators(path)));
    return;
  }
  if (const std::string why_not = info.isDir() ? std::string() : whyNotRegularFile(path.toStdString());
      !why_not.empty()) {
    const QString sentence = tr("%1 cannot be opened (%2). Choose a regular file that you may read, or a folder.");
    m_messages->say(MessageStrip::Kind::Error,
                    sentence.arg(QDir::toNativeSeparators(path), QString::fromStdString(why_not)));
    return;
  }
  afterSaving([this, path, folder = info.isDir()] {
    if (holdsTrace(path))
      openTrace(path);
    else if (folder)
      openRunFolder(path);
    else if (QFileInfo(path).fileName() == "run.json")
      openRunFolder(QFileInfo(path).absolutePath());
    else
      openExperimentFile(path);
  });
}

/// A trace of any program: what its lanes did, and why they stood idle, without an experiment.
void MainWindow::openTrace(const QString& path) {
  m_messages->say(MessageStrip::Kind::Information, tr("Reading %1").arg(QDir::toNativeSeparators(path)));
  m_reader.run([this, path, stop = m_reader.stop()]() -> Background::Then {
    const std::string place = path.toStdString();
    auto read = std::make_shared<ReadImport>(
        importTraceByEnvironment(QFileInfo(path).isDir() ? importedTracePath(place) : place, stop));
    return [this, path, read] {
      if (!read->ok()) return m_messages->say(MessageStrip::Kind::Error, QString::fromStdString(read->error().message));
      showImported(**read, path);
      rememberFile(path);
    };
  });
}

void MainWindow::chooseTrace() {
  if (refuseWhileRunning()) return;
  auto* dialog = new QFileDialog(this, tr("Open Trace"), {},
                                 tr("Traces (*.json *.json.gz *.pftrace *.perfetto-trace *.sqlite);;All files (*)"));
  dialog->setObjectName("openTraceDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& path) { afterSaving([this, path] { openTrace(path); }); });
  dialog->open();
}

void MainWindow::openExperimentFile(const QString& path) {
  m_reader.run([this, path]() -> Background::Then {
    auto read = readExperiment(path.toStdString());
    return [this, path, read = std::move(read)] {
      if (!read.ok()) {
        m_messages->say(MessageStrip::Kind::Error, QString::fromStdString(read.error().message));
        return;
      }
      openExperiment(*read, path);
      rememberFile(path);
    };
  });
}

void MainWindow::openRunFolder(const QString& folder) {
  m_reader.run([this, folder]() -> Background::Then {
    auto read = readRun(folder.toStdString());
    return [this, folder, read = std::move(read)]() mutable {
      if (!read.ok()) {
        m_messages->say(MessageStrip::Kind::Error, QString::fromStdString(read.error().message));
        return;
      }
      showStoredRun(std::make_shared<const RunRecord>(std::move(read).value()), folder);
    };
  });
}

void MainWindow::showStoredRun(std::shared_ptr<const RunRecord> record, const QString& folder) {
  if (m_running) return;  // a run was started while the folder was read
  openExperiment(record->experiment, {});
  m_chosen_point.clear();
  m_shown.show(record, folder);
  if (!record->error.empty())
    m_messages->say(record->status == RunStatus::Failed ? MessageStrip::Kind::Error : MessageStrip::Kind::Information,
                    QString::fromStdString(record->error));
  showComparison();
  m_runs->select(folder);
  rememberFile(folder);
  updateActions();
  Q_EMIT runShown();
}

void MainWindow::compareRuns(const QStringList& folders) {
  m_reader.run([this, folders]() -> Background::Then {
    std::vector<std::shared_ptr<const RunRecord>> records;
    QString problem;
    for (const auto& folder : folders) {
      auto read = readRun(folder.toStdString());
      if (read.ok())
        records.push_back(std::make_shared<const RunRecord>(std::move(read).value()));
      else
        problem = QString::fromStdString(read.error().message);
    }
    return [this, records, problem] {
      if (!problem.isEmpty()) m_messages->say(MessageStrip::Kind::Warning, problem);
      m_comparison->setRuns(records);
      findChild<QWidget*>("compareDock")->show();
      raisePane("compareDock");
    };
  });
}

void MainWindow::chooseExperiment() {
  if (refuseWhileRunning()) return;
  auto* dialog = new QFileDialog(this, tr("Open Experiment"), QFileInfo(m_document->path()).absolutePath(),
                                 tr("Experiments (*.json);;All files (*)"));
  dialog->setObjectName("openDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
  dialog->open();
}

void MainWindow::chooseRunFolder() {
  if (refuseWhileRunning()) return;
  auto* dialog = new QFileDialog(this, tr("Open Run Folder"), m_setup.runs_root);
  dialog->setObjectName("openRunDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openPath);
  dialog->open();
}

bool MainWindow::saveTo(const QString& path) {
  const Status saved = m_document->save(path);
  if (!saved.ok()) {
    m_messages->say(MessageStrip::Kind::Error, QString::fromStdString(saved.error().message));
    return false;
  }
  rememberFile(path);
  showTitle();
  return true;
}

bool MainWindow::saveExperiment() {
  if (!m_document->path().isEmpty()) return saveTo(m_document->path());
  saveExperimentAs();
  return false;
}

void MainWindow::saveExperimentAs(const std::function<void()>& then) {
  const QString name = QString::fromStdString(slug(m_document->experiment().name)) + ".json";
  auto* dialog =
      new QFileDialog(this, tr("Save Experiment"), WindowSettings().exportFolder(), tr("Experiments (*.json)"));
  dialog->setObjectName("saveDialog");
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix("json");
  dialog->selectFile(m_document->path().isEmpty() ? name : m_document->path());
  connect(dialog, &QFileDialog::fileSelected, this, [this, then](const QString& path) {
    if (saveTo(path) && then) then();
  });
  dialog->open();
}

void MainWindow::afterSaving(const std::function<void()>& then) {
  if (m_document->undoStack()->isClean()) {
    then();
    return;
  }
  auto* box = look::plainBox(QMessageBox::Question, tr("Unsaved experiment"),
                             tr("Save the changes to %1?").arg(look::shownName(m_document->experiment().name)),
                             QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this)
                  .release();
  box->setObjectName("unsavedBox");
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(tr("Without saving, what you changed since the last save is lost."));
  box->setDefaultButton(QMessageBox::Save);
  connect(box, &QMessageBox::finished, this, [this, then](int answer) {
    if (answer == QMessageBox::Discard) then();
    if (answer != QMessageBox::Save) return;
    if (m_document->path().isEmpty())
      saveExperimentAs(then);
    else if (saveTo(m_document->path()))
      then();
  });
  box->open();
}

void MainWindow::rememberFile(const QString& path) {
  WindowSettings().addRecentFile(QFileInfo(path).absoluteFilePath());
}

void MainWindow::fillRecent() {
  m_recent->clear();
  const QStringList files = WindowSettings().recentFiles();
  for (const auto& path : files) {
    auto* action = m_recent->addAction(look::buttonText(QFileInfo(path).fileName()));
    action->setToolTip(look::shownText(QDir::toNativeSeparators(path)));
    connect(action, &QAction::triggered, this, [this, path] { openPath(path); });
  }
  if (!files.isEmpty()) return;
  auto* none = m_recent->addAction(tr("Nothing opened yet"));
  none->setToolTip(tr("Files and runs that you open are listed here"));
  none->setEnabled(false);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (m_running) {
    event->ignore();
    auto* box =
        look::plainBox(QMessageBox::Question, tr("A run goes on"),
                       tr("Stop the run and quit? What was measured so far is kept."), QMessageBox::NoButton, this)
            .release();
    box->setObjectName("stopBox");
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto* stop = box->addButton(tr("Stop run and quit"), QMessageBox::AcceptRole);
    stop->setObjectName("stopAndQuit");
    auto* keep = box->addButton(tr("Keep running"), QMessageBox::RejectRole);
    keep->setObjectName("keepRunning");
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    connect(stop, &QPushButton::clicked, this, [this] {
      m_close_when_ended = true;
      if (m_running)
        cancelRun();
      else
        close();
    });
    box->open();
    return;
  }
  if (m_document->undoStack()->isClean()) {
    saveLayout();
    event->accept();
    return;
  }
  event->ignore();
  afterSaving([this] {
    m_document->undoStack()->setClean();
    close();
  });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!droppedPath(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString path = droppedPath(*event->mimeData());
  if (path.isEmpty()) return;
  event->acceptProposedAction();
  openPath(path);
}

}  // namespace lanelab
