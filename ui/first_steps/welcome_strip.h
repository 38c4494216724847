// SPDX-License-Identifier: GPL-3.0-only
// Above the centre in the first minute: what LaneLab is for, what is shown below before anything has run here, and
// ways in. Thread: GUI.
#pragma once

#include <QFrame>
#include <optional>

#include "engine/record/run_record.h"

class QLabel;
class QPushButton;

namespace lanelab {

class WelcomeStrip : public QFrame {
  Q_OBJECT

 public:
  explicit WelcomeStrip(QWidget* parent = nullptr);
  /// The run of the open experiment that is shown below, from another machine.
  void showRecorded(const RunRecord& record);
  /// What the same takes on this machine, in seconds; nothing while nobody can say.
  void setSecondsHere(std::optional<double> seconds);

 Q_SIGNALS:
  void runRequested();
  void networkRequested();
  void traceRequested();
  void lessonsRequested();
  void closeRequested();

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void showFirstWay();

  QPushButton* m_run;
  QLabel* m_recorded;
};

}  // namespace lanelab
