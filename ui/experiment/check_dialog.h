// SPDX-License-Identifier: GPL-3.0-only
// Holds each variant against a single device, tensor by tensor, and shows the table. Thread: the window's; the
// trainings run on a worker.
#pragma once

#include <QDialog>

#include "engine/report/equality_report.h"
#include "ui/look/work.h"

class QLabel;
class QTableWidget;

namespace lanelab {

class CheckDialog : public QDialog {
  Q_OBJECT

 public:
  /// Begins at once; closing it stops the trainings after the action that is computed.
  CheckDialog(std::shared_ptr<const Resolution> resolution, EqualityCheck check, QWidget* parent = nullptr);
  Work& training() { return m_training; }

 private:
  void show(const Result<EqualityReport>& report);

  QLabel* m_headline;
  QTableWidget* m_table;
  QLabel* m_notes;
  LongWork m_training;
};

}  // namespace lanelab
