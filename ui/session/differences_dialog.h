// SPDX-License-Identifier: GPL-3.0-only
// The settings in which restored edits differ from the saved experiment. Thread: GUI.
#pragma once

#include <QDialog>

namespace lanelab {

struct Experiment;

class DifferencesDialog : public QDialog {
  Q_OBJECT

 public:
  DifferencesDialog(const Experiment& saved, const Experiment& edited, QWidget* parent);

 Q_SIGNALS:
  void discardRequested();
};

}  // namespace lanelab
