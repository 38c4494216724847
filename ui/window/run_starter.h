// SPDX-License-Identifier: GPL-3.0-only
// Starts, queues, resumes, cancels and checks: what the Run menu does with the open experiment and the shown run. While
// a run is in progress, what would start another one queues it; the next one starts when that has ended in any way.
//
// Thread: the window's. Why something cannot start is shown in the strip.
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "engine/memory/memory_fit.h"
#include "engine/record/machine_load.h"
#include "engine/report/equality_report.h"
#include "ui/look/latest_work.h"
#include "ui/watch/window_parts.h"

class QMenu;

namespace lanelab {

class ActionSet;
class BoardDialogs;
class ExperimentSaver;
class FileOpener;
class RunQueue;
class Work;
struct QueuedRun;
struct Suggestion;

class RunStarter : public QObject {
  Q_OBJECT

 public:
  struct Engine {
    EqualityCheck check;       ///< may be empty: then its entry is left out
    MeasureLoad measure_load;  ///< likewise: then nothing is asked before a run
  };
  /// `dialogs` may compute beside a run, which would spoil it.
  RunStarter(const WindowParts& parts, ExperimentSaver* saver, FileOpener* opener, const BoardDialogs* dialogs,
             RunQueue* queue, Engine engine);

  void addStarting(QMenu* menu, ActionSet& actions);
  void addSweeps(QMenu* menu, ActionSet& actions);
  void addCheck(QMenu* menu, ActionSet& actions);
  void addStopping(QMenu* menu, ActionSet& actions);
  void addResume(QMenu* menu, ActionSet& actions);
  void updateActions(const ActionSet& actions) const;

  void start();
  /// Advice measures the split sizes that are predicted to be the best, a sweep all of them.
  void startAdvice();
  void startSweep();
  /// Adds the suggested variant beside the one that was measured, and runs. If the experiment was edited since, the
  /// run's own is opened first.
  void startSuggested(const Suggestion& suggestion);
  /// Opens another experiment in place of the open one, after asking about unsaved edits, and runs it.
  void startOther(const Experiment& experiment);
  void cancel();
  /// Whether there is a pipeline whose split size can be swept.
  bool canSweep() const;
  /// Whether the run that starts now was queued: nobody saw yet what was said of the one before.
  bool isFromQueue() const { return m_from_queue; }

 Q_SIGNALS:
  void stopping();                                                ///< cancel() was heard
  void sweepStarting();                                           ///< of micro-batch sizes, as the user asked
  void workMade(lanelab::Work* work, const QString& when_ended);  ///< may begin from now on
  void waitingChanged();  ///< a run waits for an idle machine, or no longer does

 private:
  bool isFree();
  bool canStart();
  bool isRunnable(const std::vector<ExperimentProblem>& problems);
  /// Does it at once if the experiment fits in memory by forecast, else if the user chooses Run Anyway; `force` says
  /// which.
  void ifItFits(const Resolution& resolution, Together together, const std::function<void(bool force)>& then);
  using WithLoad = std::function<void(std::optional<MachineLoad> load)>;
  /// Does it at once on an idle machine, else as the user chooses: when the machine is idle, or all the same. Not if a
  /// run began meanwhile, or the experiment became one that cannot run.
  void ifIdle(const Experiment& experiment, const WithLoad& then);
  /// Off the window's thread; an answer to an earlier question is dropped.
  void measureLoad(const WithLoad& then);
  void askAboutLoad(const MachineLoad& load, const Experiment& experiment, const WithLoad& then);
  void waitUntilIdle(const Experiment& experiment, const WithLoad& then);
  void stopWaiting();
  /// Both, one after the other.
  void ifReady(const std::shared_ptr<const Resolution>& resolution,
               const std::function<void(bool force, std::optional<MachineLoad> load)>& then);
  /// Edits the open experiment, activates the variant if one is named, and runs; where nothing is run, nothing is
  /// edited.
  void startEdited(const QString& text, const std::function<void(Experiment&)>& change, const QString& variant = {});
  void startNewSeed();
  void startSweepOf(std::size_t best);
  /// Of the open experiment as it is now.
  QueuedRun runToQueue(const QString& what = {}) const;
  void enqueue(QueuedRun run);
  /// The first of the queue, if nothing is in the way; it waits for an idle machine.
  void startNext();
  void followQueue();
  void openQueued(const QueuedRun& run, std::optional<MachineLoad> load);
  void startQueued(const QueuedRun& run, std::optional<MachineLoad> load);
  /// Makes its experiment the open one, as an edit if it is of the same file, then does it.
  void withExperimentOf(const QueuedRun& run, const std::function<void()>& then);
  void resume();
  void check();
  /// Opens the shown run's experiment if the open one differs, then does it.
  void withExperimentOfRun(const std::function<void()>& then);

  WindowParts m_parts;
  ExperimentSaver* m_saver;
  FileOpener* m_file_opener;
  const BoardDialogs* m_dialogs;
  RunQueue* m_queue;
  EqualityCheck m_check;
  MeasureLoad m_measure_load;
  bool m_waiting = false;  ///< for an idle machine
  bool m_says_waiting = false;
  bool m_stopping = false;
  bool m_from_queue = false;
  int m_next = 0;                    ///< the queued run that waits for an idle machine; 0: none
  std::optional<int> m_edit_of_run;  ///< place in the undo stack behind what startEdited() edited; none: no such run
  LatestWork m_measuring;            ///< the load
};

}  // namespace lanelab
