// SPDX-License-Identifier: GPL-3.0-only
// Holds each variant against a single device, tensor by tensor, and shows the table. Thread: the window's; the
// trainings run on a worker.
#pragma once

#include <QDialog>
#include <stop_token>

#include "engine/report/equality_report.h"
#include "ui/look/background.h"

class QLabel;
class QTableWidget;

namespace lanelab {

class CheckDialog : public QDialog {
  Q_OBJECT

 public:
  /// Begins at once; closing it stops the trainings after the step that is computed.
  CheckDialog(std::shared_ptr<const Resolution> resolution, EqualityCheck check, QWidget* parent = nullptr);
  ~CheckDialog() override;

 private:
  void show(const Result<EqualityReport>& report);

  QLabel* m_headline;
  QTableWidget* m_table;
  QLabel* m_notes;
  std::stop_source m_stop;
  Background m_worker;
};

}  // namespace lanelab
