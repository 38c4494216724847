// SPDX-License-Identifier: GPL-3.0-only
// Keeps the pane Time and Memory true: predicts the active variant's curve from the block times that the window has,
// looks for runs that did one of its points, and puts a chosen point into the experiment.
//
// Thread: the window's; predictions and run folders are read on a worker, and only while the pane is in sight.
#pragma once

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/device_info.h"
#include "engine/record/run_record.h"
#include "ui/curve/memory_pane.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/background.h"

namespace lanelab {

class CurveWork : public QObject {
  Q_OBJECT

 public:
  /// Of runs that may have measured what is predicted.
  struct Setup {
    std::vector<DeviceInfo> devices;
    std::vector<std::string> run_folders;
  };
  /// Document and pane outlive this.
  CurveWork(ExperimentDocument* document, MemoryPane* pane, Setup setup, QObject* parent);

  /// Those of the active variant's network on its lanes; null, or estimates: there is no curve.
  void setBlockTimes(const BlockTimes* times);
  /// Runs may have ended or gone.
  void lookAtRuns();
  void setReadOnly(bool read_only);

 private:
  void refresh();
  void compute();
  void use(int point);

  ExperimentDocument* m_document;
  MemoryPane* m_pane;
  Setup m_setup;
  std::shared_ptr<const BlockTimes> m_times;
  std::shared_ptr<const Resolution> m_shown;  ///< whose points the pane shows
  std::vector<CurvePoint> m_points;
  /// The worker's: runs are read again only for another kind of experiment, or after lookAtRuns().
  std::vector<RunRecord> m_runs;
  std::optional<Experiment> m_runs_of;
  bool m_read_only = false;
  int m_asked = 0;      ///< answers to earlier questions are dropped
  QTimer m_pause;       ///< a drag makes many edits
  Background m_worker;  ///< last: it ends before what it uses
};

}  // namespace lanelab
