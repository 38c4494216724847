// SPDX-License-Identifier: GPL-3.0-only
// What a run and other long work are doing, each in words, as a bar and with Cancel, at the right of the status bar.
#pragma once

#include <QObject>
#include <QString>

class QStatusBar;

namespace lanelab {

class Work;
class WorkBar;
struct RunProgress;

class ProgressLine : public QObject {
  Q_OBJECT

 public:
  explicit ProgressLine(QStatusBar* bar);

  void setPreparing();
  void show(const RunProgress& progress);
  /// After a request to stop, progress does not change the words any more.
  void setStopping();
  void setEnded(const QString& words);
  /// Work beside the run, such as an import: on a bar of its own while it lasts.
  void follow(Work* work, const QString& name);

 Q_SIGNALS:
  void firstUnitStarted();  ///< the run's folder is there now

 private:
  QStatusBar* m_status;
  WorkBar* m_run;
  bool m_any_unit = false;
};

}  // namespace lanelab
