// SPDX-License-Identifier: GPL-3.0-only
// The only seam between the engine's threads and the window: starts runs on a worker thread, polls what they did at
// about 30 Hz, tells the window by signals.
//
// Thread: the window's. The engine's callbacks write into a locked snapshot; the poll timer reads it; no queued signal
// per span or step.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "engine/lanes/executor.h"
#include "engine/record/run_record.h"
#include "engine/run/runner.h"
#include "profiler/trace/trace.h"

namespace lanelab {

class MessageStrip;

/// What the window shows of a run that goes.
struct RunProgress {
  QString phase;           ///< "warm-up of Pipeline", "repeat 4 of 10, Pipeline"
  QString variant;         ///< that runs; empty before the first one
  bool preparing = false;  ///< no variant runs now: the phase says what is done instead
  int unit = 0;
  int units = 0;
  int step = 0;                   ///< steps that have ended
  int steps = 0;                  ///< of the repeat; 0 between repeats
  double samples_per_second = 0;  ///< of the last steps
  SampleUnit unit_of_speed = {};  ///< what these images are
  Progress measuring;             ///< of the blocks, before a sweep runs; without a total otherwise
  double seconds_left = -1;       ///< -1 while unknown
  struct Losses {
    QString variant;
    std::vector<double> values;       ///< of the newest repeat
    std::vector<EpochResult> epochs;  ///< likewise, where the experiment counts epochs
  };
  std::vector<Losses> losses;

  /// What the bar shows: blocks that are measured, or the steps of all units.
  Progress work() const;
};

class RunController : public QObject {
  Q_OBJECT

 public:
  RunController(std::shared_ptr<Executor> executor, QString runs_root, QObject* parent = nullptr);
  ~RunController() override;  ///< cancels and waits

  bool running() const;
  const QString& runsRoot() const;
  Executor& executor();
  /// False when one is running already. Problems that stop it at once come as `refused`. `load`: measured just before.
  bool start(std::shared_ptr<const Resolution> resolution, bool force = false, std::optional<MachineLoad> load = {});
  /// The same with a split-size sweep of the experiment's first pipeline: predicts the usual split sizes from block
  /// times (measured first where none are kept), then runs the `best` of them, 0 for all. The run's record holds the
  /// predictions.
  bool startSweep(std::shared_ptr<const Resolution> resolution, std::size_t best, bool force = false,
                  std::optional<MachineLoad> load = {});
  /// Continues in the folder of an unfinished run, from its last checkpoint.
  bool resume(std::shared_ptr<const Resolution> resolution, const QString& folder, bool force = false,
              std::optional<MachineLoad> load = {});
  void cancel();

 Q_SIGNALS:
  void starting();  ///< a run is about to begin; nothing of it is done yet
  void started(const QString& folder);
  void progressed(const lanelab::RunProgress& progress);
  /// `unit`: what of its variant the trace records: "warm-up", "repeat 4 of 10".
  void traceGrew(std::shared_ptr<const lanelab::Trace> trace, const QString& unit);
  void warned(const QString& sentence);
  void refused(const QString& sentence);
  void finished(std::shared_ptr<const lanelab::RunRecord> record,
                const QString& folder);  ///< done, failed or cancelled: see its status

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

/// What runs of this program write and record besides what the engine does; `command` repeats the run.
RunOptions windowRunOptions(const std::string& command);

/// Whether a run is in progress; the strip then says how to end it. For what would replace or edit its experiment.
bool refusedWhileRunning(const RunController& controller, MessageStrip& messages);

}  // namespace lanelab
