// SPDX-License-Identifier: GPL-3.0-only
// Opens what the user chooses, drops or opened before: experiments, run folders, traces of any program.
//
// Thread: the window's; files are read off it. What is wrong with one is shown in the strip, and changes nothing.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/library/run_difference.h"
#include "engine/record/run_record.h"
#include "profiler/trace/imported_trace.h"
#include "ui/look/work.h"
#include "ui/watch/window_parts.h"
#include "ui/window/new_experiments.h"

class QMenu;

namespace lanelab {

class ActionSet;
class ExperimentSaver;
struct ShownPlace;

class FileOpener : public QObject {
  Q_OBJECT

 public:
  FileOpener(const WindowParts& parts, ExperimentSaver* saver);

  void addActions(QMenu* file, ActionSet& actions, const std::vector<ExampleExperiment>& examples);
  void updateActions(const ActionSet& actions);

  /// An experiment file, an exported network (.pt2), a run folder, an archive of a run or a trace; refused while a run
  /// is in progress. Only an experiment takes the place of the open one: once it was read, unsaved edits are asked
  /// about. A network becomes that of the open experiment, as an edit.
  void openPath(const QString& path);
  /// One path, or the traces of a job's ranks, which become one.
  void openPaths(const QStringList& paths);
  /// In place of the open experiment and the shown run; asks nothing.
  void openExperiment(const Experiment& experiment, const QString& path);
  /// The same after unsaved edits were asked about, and then `then`; refused while a run is in progress.
  void openExample(const Experiment& experiment, const std::function<void()>& then = {});
  /// The experiment of a run in place of the open one, and the run with it; asks about unsaved edits.
  void useRun(const QString& folder);
  /// What the last session showed, beside the experiment that is open already; then calls `then`.
  void reopen(const ShownPlace& shown, const std::function<void()>& then);
  /// Asks a running job for a profile, and shows it as an opened trace.
  void attach();
  /// Reads run folders to compare: runsOpened().
  void openRuns(const QStringList& folders);
  /// Of files.
  LongWork& reading() { return m_reader; }

 Q_SIGNALS:
  void experimentOpened();
  /// A stored run, to be viewed beside the open experiment.
  void runOpened(std::shared_ptr<const lanelab::RunRecord> record, const QString& folder, const QString& name);
  /// A stored run, after its experiment was opened.
  void runUsed(std::shared_ptr<const lanelab::RunRecord> record, const QString& folder);
  void runImported();  ///< an archive's run is among the stored ones
  void runsOpened(const std::vector<lanelab::NamedRun>& runs);
  void traceOpened(std::shared_ptr<const lanelab::ImportedTrace> imported, const QString& path);

 private:
  bool isRefused() const;
  struct Offer {
    QString name, title, tip;
  };
  void addOffer(QMenu* menu, ActionSet& actions, const Offer& offer, std::function<Experiment()> experiment);
  /// Whether it can be opened; if not, the strip says why.
  bool isReadable(const QString& path);
  /// What is wrong with a file; a cancel is none of it.
  void showProblem(const Error& error);
  /// Calls `read` off the window's thread, and with what it read `open`, unless it could not be read or a run was
  /// started meanwhile.
  template <class Read, class Open>
  void readThen(const Read& read, const Open& open);
  /// A dialog for a folder, or for a file of `filter`; `then` is called with what the user chose.
  void choose(const char* name, const QString& title, const QString& folder, const QString& filter,
              const std::function<void(const QString&)>& then);
  void openExperimentFile(const QString& path);
  void openRunFolder(const QString& folder);
  void openNetwork(const QString& path);
  void openRunArchive(const QString& path);
  void showOwnRun(const QString& folder);
  /// One that the user begins: with the settings for new ones.
  void openNew(Experiment experiment);
  void openTrace(const QString& path);
  void openTraces(const QStringList& paths);
  void fillRecent();

  WindowParts m_parts;
  ExperimentSaver* m_saver;
  QMenu* m_recent = nullptr;
  QMenu* m_templates = nullptr;
  LongWork m_reader;
};

}  // namespace lanelab
