// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/file_opener.h"

#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/regular_file.h"
#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/model_file.h"
#include "engine/library/run_archive.h"
#include "engine/library/run_labels.h"
#include "engine/record/run_store.h"
#include "profiler/io/import/import_folder.h"
#include "profiler/io/ranks/rank_files.h"
#include "ui/attach/attach_dialog.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/action_state.h"
#include "ui/look/message_strip.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/session/session_state.h"
#include "ui/settings/settings_store.h"
#include "ui/window/action_set.h"
#include "ui/window/experiment_saver.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

/// Whether the path is a trace: by its name, or of JSON by how it begins. An experiment is an object without
/// `traceEvents`.
bool holdsTrace(const QString& path) {
  const std::string place = path.toStdString();
  if (QFileInfo(path).isDir()) return holdsImport(place) || (!holdsRun(place) && !traceFilesOf({place}).empty());
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

bool isNetwork(const QString& path) { return path.endsWith(QLatin1String(".pt2"), Qt::CaseInsensitive); }

Experiment withChosen(Experiment experiment, const Settings& settings) {
  experiment.repeats = settings.repeats;
  experiment.record = settings.record;
  return experiment;
}

/// Labels that cannot be read leave the run without a name of its own.
Result<NamedRun> readNamedRun(const std::string& folder) {
  Result<RunRecord> record = readRun(folder);
  if (!record.ok()) return record.error();
  const Result<RunLabels> labels = readLabels(folder);
  std::string name = entryOf(folder, *record, labels.ok() ? *labels : RunLabels{}).name();
  return NamedRun{std::move(name), std::move(*record)};
}

}  // namespace

FileOpener::FileOpener(const WindowParts& parts, ExperimentSaver* saver)
    : QObject(parts.window), m_parts(parts), m_saver(saver) {}

void FileOpener::addActions(QMenu* file, ActionSet& actions, const std::vector<ExampleExperiment>& examples) {
  actions.add(file, "new", tr("&New Experiment"), tr("Start from a small network with all blocks on one lane"),
              QKeySequence::New, "new", [this] {
                if (isRefused()) return;
                m_saver->afterSaving([this] {
                  openNew(blankExperiment(m_parts.controller->executor().devices()));
                  m_parts.document->setActiveVariant(1);
                });
              });
  m_templates = ActionSet::addMenu(file, {}, tr("Ne&w from Template"), "templateMenu");
  for (const auto& [title, tip, experiment] : experimentTemplates(m_parts.controller->executor().devices()))
    addOffer(m_templates, actions, {"template-" + title, title, tip},
             [this, make = experiment] { return withChosen(make(), m_parts.settings->values()); });
  actions.add(file, "open", tr("&Open Experiment..."), tr("Open an experiment file, or a .pt2 file as its network"),
              QKeySequence::Open, "open", [this] {
                choose("openDialog", tr("Open Experiment or Network"),
                       QFileInfo(m_parts.document->path()).absolutePath(),
                       tr("Experiments, networks, exported figures and archives of runs (*.json *.pt2 *.png *.zip)"),
                       [this](const QString& path) { openPath(path); });
              });
  actions.add(file, "openTrace", tr("Open &Trace..."),
              tr("Show a trace of another program, such as torch.profiler, with its idle causes"), {}, {}, [this] {
                choose("openTraceDialog", tr("Open Trace"), {},
                       tr("Traces (*.json *.json.gz *.pftrace *.perfetto-trace *.sqlite)"),
                       [this](const QString& path) { openTrace(path); });
              });
  actions.add(file, "attach", tr("Attach to &Job..."),
              tr("Record all ranks of a running PyTorch job at the same time, and show their traces as one"), {}, {},
              [this] { attach(); });
  actions.add(file, "openRunFolder", tr("Open &Run Folder..."), tr("Show a run from its folder"),
              QKeySequence("Ctrl+Shift+O"), "history", [this] {
                choose("openRunDialog", tr("Open Run Folder"), m_parts.controller->runsRoot(), {},
                       [this](const QString& path) { openPath(path); });
              });
  m_recent = ActionSet::addMenu(file, "history", tr("Open Re&cent"), "recentMenu");
  connect(m_recent, &QMenu::aboutToShow, this, &FileOpener::fillRecent);
  fillRecent();
  QMenu* const menu = ActionSet::addMenu(file, {}, tr("E&xamples"), {});
  for (const auto& [title, experiment] : examples)
    addOffer(menu, actions, {"example-" + title, title, tr("Open the example %1").arg(title)},
             [experiment = experiment] { return experiment; });
}

void FileOpener::addOffer(QMenu* menu, ActionSet& actions, const Offer& offer, std::function<Experiment()> experiment) {
  actions.add(menu, offer.name, offer.title, offer.tip, {}, {},
              [this, experiment = std::move(experiment)] { openExample(experiment()); });
}

void FileOpener::openExample(const Experiment& experiment, const std::function<void()>& then) {
  if (isRefused()) return;
  m_saver->afterSaving([this, experiment, then] {
    openExperiment(experiment, {});
    if (then) then();
  });
}

void FileOpener::updateActions(const ActionSet& actions) {
  const bool running = m_parts.controller->running();
  actions.setEnabled({"new", "open", "openTrace", "attach", "openRunFolder"}, !running, tr("Not during a run."));
  for (QMenu* const menu : {m_recent, m_templates}) {
    menu->setEnabled(!running);
    look::setEnabled(*menu->menuAction(), !running, tr("Not during a run."));
  }
}

bool FileOpener::isRefused() const { return refusedWhileRunning(*m_parts.controller, *m_parts.messages); }

void FileOpener::openExperiment(const Experiment& experiment, const QString& path) {
  m_parts.messages->clear();
  m_parts.run->clear();
  m_parts.document->reset(experiment, path);
  m_parts.document->setActiveVariant(std::max(0, static_cast<int>(experiment.variants.size()) - 1));
  Q_EMIT experimentOpened();
}

void FileOpener::openNew(Experiment experiment) {
  openExperiment(withChosen(std::move(experiment), m_parts.settings->values()), {});
}

bool FileOpener::isReadable(const QString& path) {
  const QFileInfo info(path);
  if (!info.exists()) {
    m_parts.messages->reportError(tr("%1 does not exist. Check the name.").arg(QDir::toNativeSeparators(path)));
    return false;
  }
  const std::string why_not = info.isDir() ? std::string() : whyNotRegularFile(path.toStdString());
  if (why_not.empty()) return true;
  const QString sentence = tr("%1 cannot be opened (%2). Choose a regular file that you may read, or a folder.");
  m_parts.messages->reportError(sentence.arg(QDir::toNativeSeparators(path), QString::fromStdString(why_not)));
  return false;
}

void FileOpener::openPath(const QString& path) {
  if (isRefused() || !isReadable(path)) return;
  const QFileInfo info(path);
  if (isNetwork(path)) return openNetwork(info.absoluteFilePath());
  if (holdsTrace(path)) return openTrace(path);
  if (info.isDir()) return openRunFolder(path);
  if (info.fileName() == "run.json") return openRunFolder(info.absolutePath());
  if (isRunArchive(path.toStdString())) return openRunArchive(path);
  openExperimentFile(path);
}

void FileOpener::openPaths(const QStringList& paths) {
  if (paths.size() == 1) return openPath(paths.front());
  if (isRefused() || !std::ranges::all_of(paths, [this](const QString& path) { return isReadable(path); })) return;
  openTraces(paths);
}

void FileOpener::showProblem(const Error& error) {
  const bool cancelled = error.kind == Error::Kind::Cancelled;
  m_parts.messages->say(cancelled ? MessageStrip::Kind::Information : MessageStrip::Kind::Error,
                        look::shownText(error));
}

template <class Read, class Open>
void FileOpener::readThen(const Read& read, const Open& open) {
  m_reader.run([this, read, open](const WorkControl& control) -> LongWork::Then {
    const auto content = std::make_shared<decltype(read(control))>(read(control));
    return [this, content, open] {
      if (!content->ok()) return showProblem(content->error());
      if (!m_parts.controller->running()) open(std::move(*content).value());
    };
  });
}

/// A trace of any program: what its lanes did, and why they were idle, without an experiment.
void FileOpener::openTrace(const QString& path) { openTraces({path}); }

/// Folders and files of a job's ranks become one trace, which is called as the first of them.
void FileOpener::openTraces(const QStringList& paths) {
  const QString path = paths.front();
  m_parts.messages->inform(tr("Reading %1").arg(QDir::toNativeSeparators(path)));
  const auto read = [paths](const WorkControl& control) {
    std::vector<std::string> places;
    for (const QString& one : paths) places.push_back(one.toStdString());
    return importRanksByEnvironment(places, control);
  };
  readThen(read, [this, path](std::shared_ptr<const ImportedTrace> imported) {
    Q_EMIT traceOpened(std::move(imported), path);
    WindowSettings().addRecentFile(path);
  });
}

void FileOpener::attach() {
  if (isRefused()) return;
  auto* dialog = new AttachDialog(m_parts.controller->runsRoot(), m_parts.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &AttachDialog::recorded, this,
          [this](const std::shared_ptr<const ImportedTrace>& imported, const QString& folder) {
            Q_EMIT traceOpened(imported, folder);
            WindowSettings().addRecentFile(folder);
          });
  dialog->open();
}

/// The network of the open experiment, as an edit. The file is read first: what is wrong with it changes nothing.
void FileOpener::openNetwork(const QString& path) {
  readThen(
      [path](const WorkControl&) -> Result<std::shared_ptr<const OpenedModel>> {
        auto opened = openModelFile(path.toStdString());
        const Result<ModelSpec> model = describeTrained(opened->network);
        if (!model.ok()) return model.error();
        return opened;
      },
      [this, path](const std::shared_ptr<const OpenedModel>& opened) {
        m_parts.document->useModel(tr("Network"), opened);
        WindowSettings().addRecentFile(path);
        m_parts.messages->inform(tr("The network is %1 now, in %n block(s). Undo to restore the one before.", nullptr,
                                    static_cast<int>(describeTrained(opened->network)->blocks.size()))
                                     .arg(look::shownName(QFileInfo(path).fileName())));
      });
}

/// Extracts the run into the folder of the runs, and shows it.
void FileOpener::openRunArchive(const QString& path) {
  const std::string runs = m_parts.controller->runsRoot().toStdString();
  readThen([path, runs](const WorkControl& control) { return importRunArchive(path.toStdString(), runs, control); },
           [this](const std::string& folder) {
             Q_EMIT runImported();
             openRunFolder(QString::fromStdString(folder));
           });
}

void FileOpener::openExperimentFile(const QString& path) {
  readThen([path](const WorkControl&) { return readExperiment(path.toStdString()); },
           [this, path](const Experiment& experiment) {
             m_saver->afterSaving([this, path, experiment] {
               const bool is_picture = path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive);
               openExperiment(experiment, is_picture ? QString() : path);  // saving must not replace the picture
               WindowSettings().addRecentFile(path);
             });
           });
}

void FileOpener::openRunFolder(const QString& folder) {
  readThen([folder](const WorkControl&) { return readNamedRun(folder.toStdString()); },
           [this, folder](NamedRun&& read) {
             WindowSettings().addRecentFile(folder);
             const auto record = std::make_shared<const RunRecord>(std::move(read.record));
             Q_EMIT runOpened(record, folder, QString::fromStdString(read.name));
           });
}

void FileOpener::useRun(const QString& folder) {
  if (isRefused()) return;
  readThen([folder](const WorkControl&) { return readRun(folder.toStdString()); },
           [this, folder](RunRecord&& read) {
             const auto record = std::make_shared<const RunRecord>(std::move(read));
             m_saver->afterSaving([this, record, folder] {
               openExperiment(record->experiment, {});
               Q_EMIT runUsed(record, folder);
             });
           });
}

void FileOpener::showOwnRun(const QString& folder) {
  readThen(
      [folder](const WorkControl&) { return readRun(folder.toStdString()); },
      [this, folder](RunRecord&& read) { Q_EMIT runUsed(std::make_shared<const RunRecord>(std::move(read)), folder); });
}

void FileOpener::reopen(const ShownPlace& shown, const std::function<void()>& then) {
  const QString path = QString::fromStdString(shown.path);
  switch (shown.kind) {
    case ShownPlace::Kind::Nothing: return then();
    case ShownPlace::Kind::OwnRun: showOwnRun(path); break;
    case ShownPlace::Kind::ViewedRun: openRunFolder(path); break;
    case ShownPlace::Kind::Trace: openTrace(path); break;
  }
  m_reader.run([then](const WorkControl&) -> LongWork::Then { return then; });  // behind what it reads now
}

void FileOpener::openRuns(const QStringList& folders) {
  m_reader.run([this, folders](const WorkControl&) -> LongWork::Then {
    std::vector<NamedRun> runs;
    QString problem;
    for (const auto& folder : folders) {
      auto read = readNamedRun(folder.toStdString());
      if (read.ok())
        runs.push_back(std::move(read).value());
      else
        problem = look::shownText(read.error());
    }
    return [this, runs = std::move(runs), problem] {
      if (!problem.isEmpty()) m_parts.messages->warn(problem);
      Q_EMIT runsOpened(runs);
    };
  });
}

void FileOpener::choose(const char* name, const QString& title, const QString& folder, const QString& filter,
                        const std::function<void(const QString&)>& then) {
  if (isRefused()) return;
  if (filter.isEmpty()) return look::askForFolder(m_parts.window, name, title, folder, then);
  look::askForFile(m_parts.window, name, title, filter + ";;" + tr("All files (*)"), then, folder);
}

void FileOpener::fillRecent() {
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

}  // namespace lanelab
