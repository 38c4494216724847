// SPDX-License-Identifier: GPL-3.0-only
// What a run is doing, in words and as a bar, at the right of the status bar.
#pragma once

#include <QObject>
#include <QString>

class QLabel;
class QProgressBar;
class QStatusBar;

namespace lanelab {

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

 Q_SIGNALS:
  void firstUnitStarted();  ///< the run's folder is there now

 private:
  QLabel* m_words;
  QProgressBar* m_bar;
  bool m_stopping = false;
};

}  // namespace lanelab
