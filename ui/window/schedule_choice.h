// SPDX-License-Identifier: GPL-3.0-only
// The schedule of the active variant, to choose from; only a pipeline has one.
#pragma once

#include <QComboBox>

namespace lanelab {

class ExperimentDocument;

class ScheduleChoice : public QComboBox {
  Q_OBJECT

 public:
  /// `document` must outlive it.
  explicit ScheduleChoice(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only);  ///< while a run is in progress

 private:
  void showSchedule();
  void use(int index);

  ExperimentDocument* m_document;
  bool m_read_only = false;
};

}  // namespace lanelab
